#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check metrics in the text format of Prometheus on standard input, strictly: HELP and TYPE
once and before the values of a metric, which are together; names and labels, escapes, no value
twice, counters named _total. Print each value as NAME{LABEL=VALUE,...} VALUE, sorted labels.
Exit 1 with the line of the first mistake."""

import re
import sys

NAME = r'[a-zA-Z_:][a-zA-Z0-9_:]*'
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)')


def labels_of(text):
    labels = {}
    while text:
        match = LABEL.match(text)
        assert match, f'labels: {text}'
        assert match[1] not in labels, f'label {match[1]} twice'
        labels[match[1]] = re.sub(r'\\(.)', lambda m: '\n' if m[1] == 'n' else m[1], match[2])
        text = text[match.end():]
        assert not match[3] or text, 'a comma before the end'
    return labels


def main():
    text = sys.stdin.buffer.read().decode()
    assert text.endswith('\n'), 'no newline at the end'
    help_of, type_of, seen, done, now = {}, {}, set(), set(), None
    for line in text.split('\n')[:-1]:
        try:
            match = re.fullmatch(rf'# (HELP|TYPE) ({NAME}) (.+)', line)
            if match:
                kind, name, rest = match.groups()
                to = help_of if kind == 'HELP' else type_of
                assert name not in to and name not in done, f'{kind} twice, or late'
                assert kind == 'HELP' or rest in ('gauge', 'counter'), f'type {rest}'
                assert kind == 'HELP' or (rest == 'counter') == name.endswith('_total')
                if now != name:
                    done.add(now)
                to[name], now = rest, name
                continue
            match = re.fullmatch(rf'({NAME})(?:\{{(.+)\}})? (\d+)', line)
            assert match, 'neither a comment nor a value'
            name, labels, value = match[1], labels_of(match[2] or ''), match[3]
            assert name == now and name in help_of and name in type_of, 'not with its metric'
            key = name + '{' + ','.join(f'{k}={v}' for k, v in sorted(labels.items())) + '}'
            assert key not in seen, 'twice'
            seen.add(key)
            print(key, value)
        except AssertionError as error:
            sys.exit(f'{error}: {line}')


main()

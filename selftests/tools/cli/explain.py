#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Random packets from namespace exp-a to exp-m, whose rules are random.

For each packet "kcuckoo explain" says which members cover the address, which a model in this
program says, too; and which rules match the packet, which their counters show.
"""

import ipaddress
import json
import os
import random
import socket
import struct
import subprocess
import sys

ROUNDS = int(os.environ.get('ROUNDS', 2))
ADDRESSES = int(os.environ.get('ADDRESSES', 10))
# Fixed, so that a run does not depend on chance.
SEED = int(os.environ.get('SEED', 1))
MAC_A = bytes.fromhex('02000000000a')
MAC_M = bytes.fromhex('02000000000b')
END = '203.0.113.250'


def kcuckoo(*words, status=(0,)):
    done = subprocess.run(['kcuckoo', '-q', '-n', 'exp-m', *words], capture_output=True, text=True)
    if done.returncode not in status:
        sys.exit(f'kcuckoo {words}: {done.returncode}: {done.stderr}')
    return done.stdout


def random_prefix(rng, hosts):
    base = ipaddress.ip_address(rng.choice(hosts))
    longest = base.max_prefixlen
    length = rng.choice([longest, longest, longest - 1, longest - 4, longest - 8])
    return ipaddress.ip_network((int(base), length), strict=False)


def build(rng, hosts):
    """Make random filters and rules. Return the members of each filter, with values."""
    filters = {}
    for name in ('f1', 'f2', 'f3', 'f4'):
        kcuckoo('create', name, *rng.choice([(), ('value', '8'), ('timeout', '1h')]))
        valued = '"value_bits": 8' in kcuckoo('-j', 'info', name)
        members = {}
        for _ in range(6):
            prefix = random_prefix(rng, hosts)
            members[prefix] = rng.randrange(256) if valued else None
            value = ['--value', str(members[prefix])] if valued else []
            kcuckoo('add', name, str(prefix), *value)
        filters[name] = members
    for _ in range(14):
        name = rng.choice([*filters, 'none'])
        hook = rng.choice(['ingress', 'prerouting', 'input', *XDP])
        words = ['attach', name, 'hook', hook]
        if hook in ('ingress', 'xdp'):
            words += ['dev', 'm0']
        if hook == 'xdp':
            words += ['mode', 'generic', 'action', rng.choice(['drop', 'count'])]
        else:
            valued = name in filters and None not in filters[name].values()
            words += ['action', rng.choice(['drop', 'count', 'count', 'mark=5',
                                            'mark=value' if valued else 'count'])]
            words += ['match', rng.choice(['src', 'src', 'src', 'dst'])]
        words += ['family', rng.choice(['ipv4', 'ipv6', 'both', 'both'])]
        if rng.random() < 0.4:
            words += ['allow', rng.choice(['f4', 'f3', 'none'])]
        kcuckoo(*words, status=(0, 2))     # 2: the rule exists, or the device has one
    # Packets from the first address are dropped, at this hook or an earlier one.
    kcuckoo('create', 'some')
    kcuckoo('add', 'some', hosts[0])
    filters['some'] = {ipaddress.ip_network(hosts[0]): None}
    kcuckoo('attach', 'some', 'hook', 'input')
    # The last packet of each test, whose counter says that all others were counted.
    kcuckoo('create', 'end')
    kcuckoo('add', 'end', END)
    kcuckoo('attach', 'end', 'action', 'count', 'family', 'ipv4')
    return filters


def frame(source, destination):
    udp = struct.pack('!HHHH', 9, 9, 8, 0)
    if source.version == 4:
        head = struct.pack('!BBHHHBBH', 0x45, 0, 28, 0, 0, 9, 17, 0)
        both = source.packed + destination.packed
        total = sum(struct.unpack('!10H', head + both))
        total = (total & 0xffff) + (total >> 16)
        total = (total & 0xffff) + (total >> 16)
        head = head[:10] + struct.pack('!H', total ^ 0xffff)
        return MAC_M + MAC_A + b'\x08\x00' + head + both + udp
    head = struct.pack('!IHBB', 0x60000000, 8, 17, 9)
    return MAC_M + MAC_A + b'\x86\xdd' + head + source.packed + destination.packed + udp


def key(rule):
    return tuple(str(rule[word]) for word in
                 ('filter', 'hook', 'family', 'match', 'action', 'allow', 'dev'))


def counters():
    return {key(rule): rule['packets'] for rule in json.loads(kcuckoo('-j', 'rules'))}


def send(out, source, destination):
    """Send a packet. Return the rules that counted it."""
    end = ('end', 'prerouting', 'ipv4', 'src', 'count', 'None', 'None')
    before = counters()
    out.send(frame(source, destination))
    out.send(frame(ipaddress.ip_address(END), ipaddress.ip_address('192.0.2.1')))
    for _ in range(200):
        after = counters()
        if after[end] > before[end]:
            return {rule for rule in after if after[rule] > before[rule] and rule != end}
    sys.exit('the last packet was not counted')


def check_members(told, filters, address):
    if any(entry['other_users'] for entry in told['filters']):
        sys.exit(f'users besides the rules: {told["filters"]}')
    told = {entry['filter']: [(m['member'], m['values']) for m in entry['members']]
            for entry in told['filters']}
    real = {}
    for name, members in filters.items():
        cover = sorted((p for p in members if address in p), key=lambda p: -p.prefixlen)
        if cover:
            real[name] = [(str(p.network_address) if p.prefixlen == p.max_prefixlen else str(p),
                           [] if members[p] is None else [members[p]]) for p in cover]
    if told != real:
        sys.exit(f'members that cover {address}: {told}, not {real}')


def check(out, filters, address, match):
    """Compare what explain says about a packet with what happens to it. Return the drops."""
    own = ipaddress.ip_address('192.0.2.1' if address.version == 4 else '2001:db8:ffff::1')
    told = json.loads(kcuckoo('-j', 'explain', str(address), match, 'dev', 'm0', status=(0, 1)))
    check_members(told, filters, address)
    others = sum(hook['other_rules'] for hook in told['hooks'])
    expected = {key(rule) for hook in told['hooks'] for rule in hook['rules']
                if rule['effect'] in ('drop', 'count', 'mark')
                and (match == 'src' or rule['hook'] != 'input')}
    pair = (address, own) if match == 'src' else (own, address)
    counted = send(out, *pair)
    if expected != counted:
        sys.exit(f'{match} {address}: counted by {counted}, but explain says {expected}')
    return sum(hook['verdict'] == 'drop' for hook in told['hooks']), len(counted), others


def round_of(rng, out):
    hosts = [f'198.18.{rng.randrange(2)}.{rng.randrange(32)}' for _ in range(10)]
    hosts += [f'2001:db8::{rng.randrange(64):x}' for _ in range(10)]
    filters = build(rng, hosts)
    sums = [0, 0, 0]
    for address in [hosts[0], *rng.choices(hosts, k=ADDRESSES - 1)]:
        address = ipaddress.ip_address(address)
        for match in ('src', 'dst'):
            sums = [a + b for a, b in zip(sums, check(out, filters, address, match))]
    kcuckoo('detach', '--all')
    for name in kcuckoo('list').split():
        kcuckoo('destroy', name)
    return sums


def main():
    rng = random.Random(SEED)
    print(f'SEED={SEED}')
    with open('/run/netns/exp-a', encoding='ascii') as netns:
        if LIBC.setns(netns.fileno(), 0):
            sys.exit('cannot enter exp-a')
    out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    out.bind(('a0', 0))
    sums = [0, 0, 0]
    for _ in range(ROUNDS):
        sums = [a + b for a, b in zip(sums, round_of(rng, out))]
    print(f'{2 * ROUNDS * ADDRESSES} packets, {sums[0]} dropped at a hook, '
          f'{sums[1]} times counted by a rule, hooks {["ingress", "prerouting", "input", *XDP]}')
    if not sums[0] or not sums[1]:
        sys.exit('nothing was dropped or counted')


if __name__ == '__main__':
    import ctypes
    LIBC = ctypes.CDLL(None)
    XDP = ['xdp'] if os.path.exists('/sys/kernel/btf/kcuckoo') else []
    main()

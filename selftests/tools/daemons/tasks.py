#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print the shell commands that do what the tasks of Ansible in a file do."""

import shlex
import sys

import yaml

KEYS = {"name", "ansible.builtin.copy", "ansible.builtin.command", "ansible.builtin.systemd",
        "changed_when", "register"}
SERVICE = {"name": "kcuckoo.service", "enabled": True, "state": "started"}

with open(sys.argv[1], encoding="ascii") as file:
    tasks = yaml.safe_load(file)
for task in tasks:
    if set(task) - KEYS:
        sys.exit("unknown keys: %s" % (set(task) - KEYS))
    copy = task.get("ansible.builtin.copy")
    service = task.get("ansible.builtin.systemd")
    if service:
        # There is no systemd where the commands run.
        if service != SERVICE:
            sys.exit("unknown service: %s" % service)
    elif not copy:
        print(task["ansible.builtin.command"]["cmd"])
    elif "src" in copy:
        print("cp", shlex.quote(copy["src"]), shlex.quote(copy["dest"]))
    else:
        print("printf %s", shlex.quote(copy["content"]), ">", shlex.quote(copy["dest"]))

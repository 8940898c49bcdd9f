#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Connect from network namespaces, for recipes.sh, without a process for each connection.

Listen on three ports in the namespaces rec-m, rec-bad and rec-in. For each line of standard
input, "SECONDS NAMESPACE PORT ADDRESS...", connect to the port of all addresses at the same
time, and print for each whether it is connected, failed, or timed out.
"""

import ctypes
import errno
import os
import select
import socket
import sys
import time

CLONE_NEWNET = 0x40000000
LISTENING = ("m", "bad", "in")
PORTS = (22, 25, 443)


def enter(name):
    """Make the sockets of this process in another namespace from now on."""
    if libc.setns(spaces[name], CLONE_NEWNET):
        sys.exit("cannot enter " + name)


def connect(seconds, port, addresses):
    """Print a word for each address."""
    words = {address: "timeout" for address in addresses}
    sockets = {}
    poll = select.poll()
    for address in addresses:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setblocking(False)
        error = sock.connect_ex((address, port))
        if error not in (0, errno.EINPROGRESS):
            words[address] = "failed"
            continue
        sockets[sock.fileno()] = (sock, address)
        poll.register(sock, select.POLLOUT)
    end = time.monotonic() + seconds
    while sockets:
        left = end - time.monotonic()
        if left <= 0:
            break
        for number, _ in poll.poll(left * 1000):
            poll.unregister(number)
            sock, address = sockets.pop(number)
            error = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            words[address] = "failed" if error else "connected"
            sock.close()
    for sock, _ in sockets.values():
        sock.close()
    print(*[words[address] for address in addresses], flush=True)


libc = ctypes.CDLL(None)
spaces = {name: os.open("/run/netns/rec-" + name, os.O_RDONLY)
          for name in ("m", "bad", "good", "in")}
listeners = []
for space in LISTENING:
    enter(space)
    listeners += [socket.create_server(("::", number), family=socket.AF_INET6, backlog=999,
                                       dualstack_ipv6=True) for number in PORTS]
print("ready", flush=True)
for line in sys.stdin:
    limit, space, number, *hosts = line.split()
    enter(space)
    connect(float(limit), int(number), hosts)

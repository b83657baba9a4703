"""Runs a command where a line of /etc/hosts is added, and ports below 1024 can be bound.

usage: python apart.py LINE COMMAND…

It has mounts and a network of its own, with nothing but a loopback: the rest of the machine
neither sees the line nor the ports, and nothing in there reaches the real Apple. As root this
needs no more than that; anybody else becomes root of a user namespace for it.
"""

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile

# Linux's <linux/sockios.h> and <linux/if.h>: the loopback of a new network is down.
SET_FLAGS = 0x8914
FLAG_UP = 0x1


def command(line, arguments):
    """What to run for it, from outside."""
    become_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    return [
        shutil.which("unshare") or "unshare",
        *become_root,
        "--mount",
        "--net",
        sys.executable,
        __file__,
        line,
        *arguments,
    ]


def main(line, arguments):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SET_FLAGS, struct.pack("16sh", b"lo", FLAG_UP))
    with tempfile.NamedTemporaryFile("w", prefix="hosts-") as hosts:
        hosts.write(f"127.0.0.1 localhost\n{line}\n")
        hosts.flush()
        os.chmod(hosts.name, 0o644)
        subprocess.run(["mount", "--bind", hosts.name, "/etc/hosts"], check=True)
    os.execvp(arguments[0], arguments)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

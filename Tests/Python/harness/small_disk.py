"""A file system of a few megabytes, which only one server sees."""

import contextlib
import errno
import os
import pathlib

from processes import BINARY

FILLER_BYTES = 4096


class SmallDisk:
    """Mounted in a place of the server's own; reached from here through that process."""

    def __init__(self, folder, size):
        self.folder = folder
        self._size = size

    def command(self, options="", program=BINARY):
        """What runs the program where the folder is a file system of that size."""
        mount = f'mount -t tmpfs -o size={self._size}{options} none "$0" && exec "$@"'
        place = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
        return [*place, "sh", "-c", mount, str(self.folder), str(program)]

    def fill(self, process):
        """Writes until nothing fits any more; a few bytes at last, so that no page is left."""
        with open(self._filler(process), "ab", buffering=0) as file:
            with contextlib.suppress(OSError):
                while file.write(bytes(FILLER_BYTES)):
                    pass
            try:
                file.write(bytes(FILLER_BYTES))
            except OSError as error:
                assert error.errno == errno.ENOSPC, error
            else:
                raise AssertionError("the disk has room left")

    def clear(self, process):
        self._filler(process).unlink()

    def _filler(self, process):
        return pathlib.Path(f"/proc/{process.pid}/root{self.folder}/filler")

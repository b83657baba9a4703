"""Pictures of one size become one animated picture.

Source: [Animated PNG](https://www.w3.org/TR/png-3/#apng-frame-based-animation)
"""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def animated(pictures, seconds):
    """One picture of several PNGs, each shown for so many seconds, again and again."""
    headers = {_chunks(picture)[0] for picture in pictures}
    if len(headers) != 1:
        raise ValueError("the pictures differ in size or kind")
    (header,) = headers
    width, height = struct.unpack(">II", header[1][:8])
    parts = [SIGNATURE, _packed(*header), _packed(b"acTL", struct.pack(">II", len(pictures), 0))]
    number = 0
    for index, picture in enumerate(pictures):
        milliseconds = round(seconds[index] * 1000)
        control = struct.pack(">IIIIIHHBB", number, width, height, 0, 0, milliseconds, 1000, 0, 0)
        parts.append(_packed(b"fcTL", control))
        number += 1
        data = b"".join(body for kind, body in _chunks(picture) if kind == b"IDAT")
        # The first frame is what a program that knows no animation shows.
        if index == 0:
            parts.append(_packed(b"IDAT", data))
        else:
            parts.append(_packed(b"fdAT", struct.pack(">I", number) + data))
            number += 1
    parts.append(_packed(b"IEND", b""))
    return b"".join(parts)


def frame_count(picture):
    """How many pictures an animated one has."""
    (control,) = [body for kind, body in _chunks(picture) if kind == b"acTL"]
    return struct.unpack(">II", control)[0]


def _chunks(picture):
    if not picture.startswith(SIGNATURE):
        raise ValueError("this is no PNG")
    chunks, place = [], len(SIGNATURE)
    while place < len(picture):
        (size,) = struct.unpack(">I", picture[place : place + 4])
        kind = picture[place + 4 : place + 8]
        chunks.append((kind, picture[place + 8 : place + 8 + size]))
        place += 12 + size
    return chunks


def _packed(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

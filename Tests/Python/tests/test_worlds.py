"""One emulator for several test processes, each in a world of its own."""

import json
import os
import subprocess
import sys

import requests

from conftest import running_emulator
from processes import HARNESS, SITES
from world import TIMEOUT_SECONDS, in_world

PROCESS_COUNT = 8
RUN_SECONDS_MAX = 120
PROCESS = HARNESS / "world_process.py"


def call(method, addresses, path, **fields):
    answer = requests.request(
        method,
        addresses["control"] + path,
        json=fields or None,
        timeout=TIMEOUT_SECONDS,
    )
    answer.raise_for_status()
    return answer.json()


def get(addresses, path):
    return call("GET", addresses, path)


def test_eight_processes_side_by_side():
    with running_emulator() as addresses:
        before = get(addresses, "/state")
        names = [f"process-{number}" for number in range(1, PROCESS_COUNT + 1)]
        worlds = [in_world(addresses, name) for name in names]
        processes = [
            subprocess.Popen(
                [sys.executable, PROCESS, json.dumps(own), str(number)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=os.environ | {"PYTHONPATH": str(SITES)},
            )
            for number, own in enumerate(worlds, 1)
        ]
        for process in processes:
            process.stdin.write("\n")
            process.stdin.flush()
        subjects = []
        for process in processes:
            output, problems = process.communicate(timeout=RUN_SECONDS_MAX)
            assert process.returncode == 0, problems
            subjects.append(output.strip())
        assert len(set(subjects)) == PROCESS_COUNT, "each world knows people by its own names"
        assert [world["world"] for world in get(addresses, "/worlds")["worlds"]] == names
        # The unnamed world is as it was, and saw no request.
        after = get(addresses, "/state")
        for section in before:
            if section != "now":
                assert after[section] == before[section], section
        assert get(addresses, "/requests")["requests"] == []
        assert get(addresses, "/mail")["messages"] == []
        assert get(addresses, "/notifications")["notifications"] == []


def test_worlds_end_with_the_emulator_and_the_unnamed_one_is_kept(tmp_path):
    options = ["--data", str(tmp_path / "state")]
    with running_emulator(*options) as addresses:
        for name, own in (("unnamed", addresses), ("suite", in_world(addresses, "suite"))):
            call("POST", own, "/people", email=f"olga@{name}.example.com")
        (listed,) = get(addresses, "/worlds")["worlds"]
        assert listed["world"] == "suite" and listed["made_at"] <= listed["used_at"]
    with running_emulator(*options) as addresses:
        assert get(addresses, "/worlds")["worlds"] == []
        emails = [
            {person["email"] for person in get(own, "/state")["people"]}
            for own in (addresses, in_world(addresses, "suite"))
        ]
    assert "olga@unnamed.example.com" in emails[0]
    assert not any(email.startswith("olga@") for email in emails[1])

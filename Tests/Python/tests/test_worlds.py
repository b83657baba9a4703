"""One emulator for several test processes, each in a world of its own."""

import json
import os
import subprocess
import sys

import requests

from conftest import running_emulator
from processes import HARNESS, SITES
from world import TIMEOUT_SECONDS

PROCESS_COUNT = 8
RUN_SECONDS_MAX = 120
PROCESS = HARNESS / "world_process.py"


def call(method, addresses, path, world="", **fields):
    answer = requests.request(
        method,
        addresses["control"] + path,
        json=fields or None,
        headers={"Siwa-World": world} if world else {},
        timeout=TIMEOUT_SECONDS,
    )
    answer.raise_for_status()
    return answer.json()


def get(addresses, path):
    return call("GET", addresses, path)


def test_eight_processes_side_by_side():
    with running_emulator() as addresses:
        before = get(addresses, "/state")
        processes = [
            subprocess.Popen(
                [sys.executable, PROCESS, json.dumps(addresses), f"process-{number}", str(number)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=os.environ | {"PYTHONPATH": str(SITES)},
            )
            for number in range(1, PROCESS_COUNT + 1)
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
        names = [world["name"] for world in get(addresses, "/worlds")["worlds"]]
        assert names == [f"process-{number}" for number in range(1, PROCESS_COUNT + 1)]
        # Whoever names no world finds everything as it was: they alone looked at its keys.
        after = get(addresses, "/state")
        for section in before:
            if section != "now":
                assert after[section] == before[section], section
        paths = {one["path"] for one in get(addresses, "/requests")["requests"]}
        assert paths == {"/auth/keys"}
        assert get(addresses, "/mail")["messages"] == []
        assert get(addresses, "/notifications")["notifications"] == []


def test_worlds_end_with_the_emulator_and_the_unnamed_one_is_kept(tmp_path):
    options = ["--data", str(tmp_path / "state")]
    with running_emulator(*options) as addresses:
        for world in ("", "suite"):
            call("POST", addresses, "/people", world, email=f"olga@{world or 'unnamed'}.example.com")
        (listed,) = get(addresses, "/worlds")["worlds"]
        assert listed["name"] == "suite" and listed["made_at"] <= listed["used_at"]
    with running_emulator(*options) as addresses:
        assert get(addresses, "/worlds")["worlds"] == []
        addresses_of = {
            world: {person["email"] for person in call("GET", addresses, "/state", world)["people"]}
            for world in ("", "suite")
        }
    assert "olga@unnamed.example.com" in addresses_of[""]
    assert not any(email.startswith("olga@") for email in addresses_of["suite"])

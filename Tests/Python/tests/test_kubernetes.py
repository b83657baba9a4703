"""deployment/kubernetes.yaml: its objects are valid, and the server starts with its settings."""

import re

import kubernetes_validate
import pytest
import requests
import yaml

from conftest import REPOSITORY, new_key
from postgresql import running_cluster, serving

TEXT = (REPOSITORY / "deployment/kubernetes.yaml").read_text(encoding="utf-8")
OBJECTS = list(yaml.safe_load_all(TEXT))
DEPLOYMENT, SERVICE, BUDGET, POLICY = OBJECTS
POD = DEPLOYMENT["spec"]["template"]["spec"]
(CONTAINER,) = POD["containers"]
SETTINGS = {variable["name"]: variable["value"] for variable in CONTAINER["env"]}
TIMEOUT_SECONDS = 20


# The oldest that the file names, and the newest that the schemas are of.
@pytest.mark.parametrize("version", ["1.30", "1.37"])
def test_the_objects_are_valid(version):
    for one in OBJECTS:
        kubernetes_validate.validate(one, version, strict=True)


def test_a_misspelled_member_is_found():
    wrong = yaml.safe_load(TEXT.partition("---")[0].replace("readinessProbe", "readynessProbe"))
    with pytest.raises(kubernetes_validate.ValidationError, match="readynessProbe"):
        kubernetes_validate.validate(wrong, "1.30", strict=True)


def test_all_select_the_same_pods():
    labels = DEPLOYMENT["spec"]["template"]["metadata"]["labels"]
    (spread,) = POD["topologySpreadConstraints"]
    selectors = [DEPLOYMENT["spec"]["selector"], BUDGET["spec"]["selector"], POLICY["spec"]["podSelector"], spread["labelSelector"]]
    assert [one["matchLabels"] for one in selectors] == [labels] * 4
    assert SERVICE["spec"]["selector"] == labels
    assert {one["metadata"]["namespace"] for one in OBJECTS} == {"siwa"}
    (port,) = CONTAINER["ports"]
    assert f"--port={port['containerPort']}" in CONTAINER["args"]
    assert SERVICE["spec"]["ports"][0]["targetPort"] == port["name"]


def test_the_container_may_do_nothing():
    assert POD["securityContext"]["runAsNonRoot"] and POD["securityContext"]["runAsUser"] == 65534
    assert CONTAINER["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    grace = POD["terminationGracePeriodSeconds"]
    assert grace > CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"] + 10


def test_settings_are_known():
    document = (REPOSITORY / "docs/reference/settings.md").read_text(encoding="utf-8")
    known = set(re.findall(r"^\| `(\w+)` \|", document, re.MULTILINE))
    names = {name.removesuffix("_FILE") if name != "SIWA_KEY_FILE" else name for name in SETTINGS}
    assert names - known == {"LIBDISPATCH_LOG"}


def test_the_secret_has_each_file_that_a_setting_names():
    given = set(re.findall(r"--from-file=(\S+)", TEXT))
    files = {value.removeprefix("/run/siwa/") for value in SETTINGS.values() if value.startswith("/run/siwa/")}
    assert files == given - {"database-ca.crt"}
    operations = (REPOSITORY / "docs/how-to/operations.md").read_text(encoding="utf-8")
    for name in given:
        assert f"| `{name}` |" in operations
    assert "sslrootcert=/run/siwa/database-ca.crt" in operations


def test_two_servers_start_with_these_settings(tmp_path):
    with running_cluster() as cluster:
        (tmp_path / "apple.p8").write_text(new_key()[1])
        (tmp_path / "sealing-keys").write_text("k1:" + "A" * 43 + "=\n")
        (tmp_path / "database-url").write_text(cluster.url.replace("app@", "app:secret@") + "\n")
        settings = {name: value.replace("/run/siwa", str(tmp_path)) for name, value in SETTINGS.items()}
        with serving(settings) as first, serving(settings) as second:
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                path = CONTAINER[probe]["httpGet"]["path"]
                for server in (first, second):
                    # As the kubelet asks: by the pod's address, not by the public name.
                    assert requests.get(server.url + path, timeout=TIMEOUT_SECONDS).status_code == 200
            assert first.terminate() == 0 and second.terminate() == 0

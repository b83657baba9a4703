"""What an app has from Apple's developer site: its names and its key."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Registration:
    client_id: str
    team_id: str
    key_id: str
    private_key: str
    redirect_uri: str

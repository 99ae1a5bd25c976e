"""Runs Home Assistant's own MQTT integration on a broker, in a Python that has Home Assistant.

Each line that comes in is a service to call, `["button", "press", {"entity_id": …}]`, or `[]` for none. What goes out
is a line with the states of all entities: `{entity: [state, attributes]}`. `blueprints FILE …` checks those alone.
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from types import MappingProxyType

from homeassistant import config_entries, core, loader  # type: ignore[import-not-found]
from homeassistant.bootstrap import async_load_base_functionality  # type: ignore[import-not-found]
from homeassistant.components.automation.config import AUTOMATION_BLUEPRINT_SCHEMA  # type: ignore[import-not-found]
from homeassistant.components.blueprint import models  # type: ignore[import-not-found]
from homeassistant.const import __version__  # type: ignore[import-not-found]
from homeassistant.setup import async_setup_component  # type: ignore[import-not-found]
from homeassistant.util.yaml import load_yaml_dict  # type: ignore[import-not-found]


async def begun(port):
    """A house without pages: its core, and MQTT as a person would have set it up."""
    home = tempfile.mkdtemp(prefix="house-")
    Path(home, "configuration.yaml").touch()
    hass = core.HomeAssistant(home)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await async_load_base_functionality(hass)
    assert await async_setup_component(hass, "homeassistant", {})
    hass.config.components |= {"http", "file_upload"}  # asked for by MQTT's own pages alone
    entry = config_entries.ConfigEntry(
        data={"broker": "127.0.0.1", "port": port, "discovery": True}, domain="mqtt", entry_id="1", title="MQTT",
        source="user", version=1, minor_version=2, options={}, unique_id=None,
        discovery_keys=MappingProxyType({}), subentries_data=(),
    )  # fmt: skip
    await hass.config_entries.async_add(entry)
    assert entry.state is config_entries.ConfigEntryState.LOADED, entry.state
    hass.set_state(core.CoreState.running)
    return hass


async def main(port):
    hass = await begun(port)
    print(json.dumps(__version__), flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        if call := json.loads(line):
            await hass.services.async_call(*call, blocking=True)
        await hass.async_block_till_done()
        states = {each.entity_id: [each.state, dict(each.attributes)] for each in hass.states.async_all()}
        print(json.dumps(states, default=str), flush=True)


def check(paths):
    """Raise Home Assistant's error for a file that is not a blueprint of an automation."""
    for path in paths:
        models.Blueprint(
            load_yaml_dict(path), expected_domain="automation", path=path, schema=AUTOMATION_BLUEPRINT_SCHEMA
        )


if __name__ == "__main__":
    if sys.argv[1] == "blueprints":
        check(sys.argv[2:])
    else:
        asyncio.run(main(int(sys.argv[1])))

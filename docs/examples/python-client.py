"""Creates a registration token for each agent code on the command line.

The types come from openapi.json: see "Generate a client" in docs/guides/generate-a-client.md.
"""

import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from platform_api import (
    AgentPageResponse,
    CreatedRegistrationTokenResponse,
    CreateRegistrationTokenRequest,
    ErrorResponse,
)


def call(method, path, body=None):
    """Returns the JSON of the response."""
    request = Request(os.environ["PLATFORM_URL"] + path, method=method)
    request.add_header("Authorization", "Bearer " + os.environ["PLATFORM_API_KEY"])
    if body is not None:
        request.data = json.dumps(body.to_dict()).encode()
        request.add_header("Content-Type", "application/json")
    with urlopen(request) as answer:
        return json.load(answer)


def main(codes):
    page = AgentPageResponse.from_dict(call("GET", "/api/admin/agents?pageSize=200"))
    for agent in page.data:
        print(agent.code, agent.status.value)
    for code in codes:
        body = CreateRegistrationTokenRequest(agent_code=code, expires_in_seconds=3600)
        answer = call("POST", "/api/admin/registration-tokens", body)
        created = CreatedRegistrationTokenResponse.from_dict(answer).data
        print(created.agent_code, created.token)


try:
    main(sys.argv[1:])
except HTTPError as failure:
    error = ErrorResponse.from_dict(json.load(failure)).error
    sys.exit(f"{error.code.value}: {error.message}")

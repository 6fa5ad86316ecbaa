import json
import sys
from uuid import UUID

from gatehouse_client import AuthenticatedClient
from gatehouse_client.api.apps import create_app, get_app, list_apps
from gatehouse_client.api.operation import get_health
from gatehouse_client.api.self_ import get_self
from gatehouse_client.models import App, AppDocument, AppList, ErrorDocument, NewApp

base_url, key, org = sys.argv[1:4]
org_id = UUID(org)
client = AuthenticatedClient(base_url=base_url, token=key, prefix="token")
version = "2024-10-15"

health = get_health.sync(client=client)
self = get_self.sync(client=client, version=version)
new = NewApp.from_dict(
    {
        "data": {
            "type": "app",
            "attributes": {
                "name": "Generated",
                "redirect_uris": ["https://app.example/callback"],
                "scopes": ["org.read"],
            },
        }
    }
)
created = create_app.sync(org_id, client=client, version=version, body=new)
assert isinstance(created, AppDocument), created
app: App = created.data
listed = list_apps.sync(org_id, client=client, version=version)
assert isinstance(listed, AppList), listed
missing = get_app.sync(org_id, org_id, client=client, version=version)
assert isinstance(missing, ErrorDocument), missing
print(
    json.dumps(
        {
            "version": health.version,
            "self": str(self.data.id),
            "app": app.attributes.name,
            "apps": [each.attributes.name for each in listed.data],
            "code": missing.errors[0].code,
        }
    )
)

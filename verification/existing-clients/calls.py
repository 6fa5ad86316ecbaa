"""Calls a server through pysnyk, and prints for each call one line of JSON: what was called, and what came of it."""
import json
import sys
import time

import snyk

url, key, lock, sbt = sys.argv[1:5]
client = snyk.SnykClient(key, url=f"{url}/api/v1", rest_api_url=f"{url}/rest", tries=1)


def call(name, work):
    try:
        found = work()
        print(json.dumps({"call": name, "said": str(found)[:200]}), flush=True)
        return found
    except Exception as error:  # whatever the library meets is a finding
        print(json.dumps({"call": name, "error": f"{type(error).__name__}: {error}"[:400]}), flush=True)
        return None


org = call("organizations.first()", lambda: client.organizations.first())
call("organizations.get(id).name", lambda: client.organizations.get(org.id).name)
call("members.all()", lambda: len(org.members.all()))
call("entitlements.all()", lambda: len(org.entitlements.all()))

manifest = json.dumps({"name": "shop", "version": "1.0.0", "dependencies": {"lodash": "4.17.4"}})
tested = call("test_packagejson(manifest, lock)", lambda: org.test_packagejson(manifest, lock))
call("… finds what is known", lambda: sorted(v.severity for v in tested.issues.vulnerabilities)[0])
call("test_gemfilelock(lock)", lambda: org.test_gemfilelock("GEM\n  remote: https://registry.example/\n  specs:\n    rack (1.6.4)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  rack\n").ok)
call("test_sbt(build)", lambda: org.test_sbt(sbt).ok)

call("integrations.all()", lambda: len(org.integrations.all()))
integration = call("integrations.filter(name)", lambda: org.integrations.filter(name="github-enterprise")[0])
call("integration.settings.all()", lambda: len(integration.settings.all()))
call("integration.import_git(owner, name)", lambda: integration.import_git("shop", "front", "main"))

projects = []
for _ in range(60):
    projects = org.projects.all()
    if len(projects) >= 2:
        break
    time.sleep(0.5)
call("projects.all()", lambda: sorted(project.name for project in projects))
project = call("projects.get(id)", lambda: org.projects.get([p for p in projects if p.type == "npm"][0].id))
call("project.totalDependencies", lambda: project.totalDependencies)
call("project.issueCountsBySeverity", lambda: project.issueCountsBySeverity)
call("project.settings.all()", lambda: len(project.settings.all()))
call("project.settings.update()", lambda: project.settings.update(pull_request_test_enabled=False))
issues = call("project.issueset_aggregated.all()", lambda: project.issueset_aggregated.all())
call("… its issues", lambda: len(issues.issues))
call("project.issueset.all()", lambda: len(project.issueset.all().issues.vulnerabilities))
call("project.vulnerabilities", lambda: len(project.vulnerabilities))
call("project.ignores.all()", lambda: project.ignores.all())
call("project.jira_issues.all()", lambda: project.jira_issues.all())
call("project.dependency_graph", lambda: len(project.dependency_graph.pkgs))
call("project.dependencies.all()", lambda: len(project.dependencies.all()))
call("project.licenses.all()", lambda: len(project.licenses.all()))
call("org.dependencies.all()", lambda: len(org.dependencies.all()))
call("org.licenses.all()", lambda: len(org.licenses.all()))
call("project.tags.add()", lambda: project.tags.add("team", "shop"))
call("projects.filter(tags)", lambda: len(org.projects.filter(tags=[{"key": "team", "value": "shop"}])))
call("project.tags.delete()", lambda: project.tags.delete("team", "shop"))
call("projects.all()[0].importingUser", lambda: projects[0].importingUser)
call("project.deactivate()", lambda: project.deactivate())
call("project.activate()", lambda: project.activate())
call("project.delete()", lambda: project.delete())
call("projects.all() afterward", lambda: len(org.projects.all()))

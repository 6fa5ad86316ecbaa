import { html, sample } from '#foundation/pages/html.ts'
import type { Guide } from './guides.ts'

export const resultGuide: Guide = {
  slug: 'test-results',
  title: 'Test results',
  summary: 'What a result covers, what its upgrades rest on, licences, and the forms it comes in.',
  content: ({ baseUrl }) => html`
    <h2>When a result is ok</h2>
    <p><code>ok</code> is true when nothing was found <em>and</em> everything was tested. What could not be resolved stands
    in <code>coverage.unresolved</code> with its reason, and then <code>ok</code> is false. A registry that gives no answer
    is a <a href="/docs/errors/registry-unreachable">502</a>. Add <code>acceptPartial=true</code> to take what could be
    tested for the whole.</p>
    <table>
      <thead><tr><th scope="col">Member of <code>coverage</code></th><th scope="col">Says</th></tr></thead>
      <tbody>
        <tr><td><code>complete</code></td><td>nothing was left out that the files ask for</td></tr>
        <tr><td><code>unresolved</code></td><td>what was not tested: a stable <code>code</code>, a reason, who asks for it</td></tr>
        <tr><td><code>excluded</code></td><td>how many packages were left out on purpose: <code>dev</code> (add
        <code>includeDev=true</code> to test them), <code>build</code>, <code>inactive-profile</code>,
        <code>other-environment</code></td></tr>
        <tr><td><code>boundsMet</code></td><td>bounds of this server that shortened the answer</td></tr>
        <tr><td><code>licenses</code></td><td>of how many packages the licence is known, and of which it is not</td></tr>
        <tr><td><code>registryAnswers</code></td><td>how many old answers had to do because a registry failed, and the age
        of the oldest</td></tr>
        <tr><td><code>advisories</code></td><td>which advisories were used, and when they were brought here</td></tr>
      </tbody>
    </table>
    <h2>Upgrades</h2>
    <p><code>upgradePath</code> is the dependency path as it is after the smallest upgrade of the direct dependency that
    ends the vulnerability on it. It was tried: the project is resolved again with that version. It is shorter than
    <code>from</code> where the upgrade drops the package. Where versions are locked and the range of a dependent allows a
    fixed version, only the last position changes: locking again brings it. An empty path means that no published version
    of the direct dependency helps. The search has bounds of work and time; where one was met, <code>boundsMet</code> says
    what was not looked for. Python packages are pinned instead (<code>isPinnable</code>).</p>
    <h2>Severity</h2>
    <p>The CVSS base score decides, of version 3 before 4 before 2; of several vectors of one version the worst; without a
    vector the database’s own word. <code>severityBasis</code> tells which it was: <code>assumed</code> means that nobody
    rated the vulnerability. <code>exploitMaturity</code> comes from the vectors’ own metric, or is <code>mature</code> for
    what stands on the operator’s list of known exploited vulnerabilities.</p>
    <h2>Licences</h2>
    <p>An organisation says what it thinks of licences; tests then report what it objects to in
    <code>issues.licenses</code>. Of <code>A OR B</code> one has to be fine, of <code>A AND B</code> both.</p>
    ${sample(
      'Object to one licence, and to what nobody tells',
      `curl -X PATCH "${baseUrl}/rest/orgs/$ORG/license_policy?version=2024-10-15" \\
  -H "Authorization: token $KEY" \\
  -H "Content-Type: application/vnd.api+json" \\
  -d '{"data":{"type":"license_policy","attributes":{
        "rules":[{"license":"AGPL-3.0-only","severity":"high","instructions":"Ask the legal team."}],
        "unknown_severity":"low"}}}'`,
    )}
    <p>With <code>unlisted_severity</code> a list of allowed licences (<code>"severity":"none"</code>) makes issues of all
    others.</p>
    <h2>Forms</h2>
    <p>The <code>Accept</code> header chooses: <code>application/json</code> (the default),
    <code>application/sarif+json</code> (SARIF 2.1.0, for code scanning) or <code>application/vnd.cyclonedx+json</code>
    (CycloneDX 1.6: components, licences, dependencies, vulnerabilities). Others are refused with
    <a href="/docs/errors/not-acceptable">406</a>. The same input, advisories and registry answers give the same bytes in
    every form.</p>
    ${sample(
      'A bill of materials for a lockfile',
      `jq -n --rawfile manifest package.json --rawfile lock package-lock.json \\
  '{files:{target:{contents:$manifest},additional:[{contents:$lock}]}}' |
curl -X POST "${baseUrl}/v1/test/npm" \\
  -H "Authorization: token $KEY" \\
  -H "Accept: application/vnd.cyclonedx+json" \\
  -H "Content-Type: application/json" -d @-`,
    )}`,
}

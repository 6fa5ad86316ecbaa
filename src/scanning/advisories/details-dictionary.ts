/**
 * A compression dictionary of common record content, so that each record can be compressed separately. Part of the file
 * format: a change requires a new format number.
 */
export const detailsDictionary = Buffer.from(
  [
    'privilege escalation, path traversal, code injection, cross-site scripting (XSS), denial of service, prototype pollution ',
    'allows remote attackers to execute arbitrary code via a crafted request. vulnerability versions before prior to ',
    '\\n\\n### Impact\\n\\n### Patches\\n\\n### Workarounds\\n\\n### References\\n\\n### For more information\\n\\n',
    '"credits":[{"name":"","database_specific":{"severity":"CRITICAL","cwe_ids":["CWE-22","CWE-94","CWE-400","CWE-79"]}}',
    '"database_specific":{"severity":"LOW","cwe_ids":["CWE-"]}}"severity":"HIGH"severity":"MODERATE"',
    '"},{"type":"ADVISORY","url":"https://","references":[{"type":"REPORT","url":"{"type":"ARTICLE","url":"{"type":"FIX","url":"https://"},{"type":"PACKAGE","url":"https://"},{"type":"WEB","url":"https://github.com/',
    '/security/advisories/GHSA-/commit/blob/master/pull/issues/releases/tag/v"database_specific":{"last_known_affected_version_range":"<= ',
    '"affected":[{"package":{"ecosystem":"Go","name":"github.com/"ecosystem":"Maven","name":"org.apache."ecosystem":"RubyGems","name":"',
    '"ecosystem":"PyPI","name":""ecosystem":"npm","name":"@"},"ranges":[{"type":"GIT","repo":"https://github.com/","events":[{"introduced":"0"},{"last_affected":"',
    '"ranges":[{"type":"ECOSYSTEM","events":[{"introduced":"0"},{"fixed":"1.0.0"}]}],"versions":["0.1.0","0.2.0","1.0.1","2.0.0"]}],"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"',
    '"severity":[{"type":"CVSS_V2","score":"AV:N/AC:L/Au:N/C:P/I:P/A:P"{"type":"CVSS_V4","score":"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"}],',
    '"},{"type":"CVSS_V3","score":"CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N"{"type":"CVSS_V3","score":"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"}],"affected":[{"package":{"ecosystem":"npm","name":"',
    '{"id":"GO-20{"id":"PYSEC-20{"id":"MAL-20{"id":"GHSA-","modified":"2024-01-01T00:00:00Z","published":"2023-01-01T00:00:00Z","withdrawn":"","aliases":["CVE-20"],"summary":" in ","details":"',
  ].join(''),
)

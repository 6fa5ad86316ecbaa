// cspell:ignore RUSTSEC RHSA
import { type Command, Option } from 'commander'
import type { Client, Item } from '../../client/api/client.ts'
import { ClientFailure } from '../../client/failure.ts'
import { type Severity, severities } from '../../client/findings.ts'
import { toDay } from '../../client/resources/describe-project.ts'
import { parseId } from './id-argument.ts'
import { collect, type ListOptions, runOnServer, serverCommand, withLimit } from './run-on-server.ts'

interface Filters extends ListOptions {
  readonly id?: string
  readonly package?: string
  readonly project?: string
  readonly severityThreshold?: Severity
  readonly ignored?: true
  readonly all?: true
}

const examples = [
  'gatehouse issues                            open issues of the organization, the worst first',
  'gatehouse issues CVE-2021-44228             projects with an issue, by CVE, GHSA or another id',
  'gatehouse issues lodash@4.17.20             issues of a package, or of one version',
  'gatehouse issues --severity-threshold high --json',
]

export function issuesCommand(): Command {
  return withLimit(serverCommand('issues', examples))
    .argument('[query]', 'id of an advisory, such as CVE-2021-44228, or a package')
    .option('--id <id>', 'issues with this id, ignoring case')
    .option('--package <name>', 'issues of this package, or of name@version')
    .option('--project <id>', 'issues of this project', parseId('project'))
    .addOption(new Option('--severity-threshold <level>', 'omit less severe issues').choices([...severities]))
    .addOption(new Option('--ignored', 'only ignored issues').conflicts('all'))
    .option('--all', 'include ignored issues')
    .action(list)
}

/** Ids of advisories and of license issues begin with the name of their database. */
const ID = /^(?:CVE|GHSA|PYSEC|GO|RUSTSEC|MAL|OSV|SNYK|RHSA|DSA|CWE)-|^(?:snyk:|gatehouse:)/i
const PROJECTS_AT_ONCE = 50

async function list(query: string | undefined, options: Filters): Promise<void> {
  await runOnServer(options, async ({ client, orgId, output, signal }) => {
    const org_id = await orgId()
    const filters = toFilters(query, options)
    const issues = await collect(client.list('listOrgIssues', { params: { org_id }, query: filters, signal }), options)
    const names = output.isJson ? new Map() : await namesOf(client, { org_id, issues, signal })
    output.table(
      issues,
      [
        { title: 'SEVERITY', paint: (text) => output.palette[text as Severity]?.(text) ?? text },
        { title: 'ISSUE' },
        { title: 'PACKAGE', isFlexible: true },
        { title: 'PROJECT', isFlexible: true },
        { title: 'TITLE', isFlexible: true, isOptional: true },
        { title: 'CVE', isOptional: true },
        { title: 'SINCE', isOptional: true },
      ],
      issues.map((issue) => toRow(issue, names)),
      'No issues that match.',
    )
  })
}

function toFilters(query: string | undefined, options: Filters) {
  const { id, package: name, project, severityThreshold, ignored, all } = options
  if (query !== undefined && (id !== undefined || name !== undefined)) {
    throw new ClientFailure('Pass either an argument, or --id and --package.')
  }
  const key = id ?? (query !== undefined && ID.test(query) ? query : undefined)
  const packageName = name ?? (query !== undefined && !ID.test(query) ? query : undefined)
  return {
    sort: '-priority' as const,
    ...(key !== undefined && { key }),
    ...(packageName !== undefined && { package: packageName }),
    ...(project !== undefined && { 'scan_item.id': project, 'scan_item.type': 'project' as const }),
    ...(severityThreshold && {
      effective_severity_level: severities.slice(0, severities.indexOf(severityThreshold) + 1),
    }),
    ...(!all && { ignored: ignored === true }),
  }
}

type Issue = Item<'listOrgIssues'>

function toRow({ attributes, relationships }: Issue, names: ReadonlyMap<string, string>): string[] {
  const dependency = attributes.coordinates[0]?.representations[0]?.dependency
  const cves = attributes.problems.flatMap(({ id }) => (id.startsWith('CVE-') ? [id] : []))
  const project = relationships.scan_item.data.id
  return [
    attributes.effective_severity_level,
    attributes.key,
    dependency === undefined ? '-' : `${dependency.package_name}@${dependency.package_version}`,
    names.get(project) ?? project,
    attributes.title,
    cves[0] ?? '-',
    toDay(attributes.created_at),
  ]
}

interface Shown {
  readonly org_id: string
  readonly issues: readonly Issue[]
  readonly signal: AbortSignal
}

async function namesOf(client: Client, { org_id, issues, signal }: Shown): Promise<Map<string, string>> {
  const ids = [...new Set(issues.map(({ relationships }) => relationships.scan_item.data.id))]
  const names = new Map<string, string>()
  for (let at = 0; at < ids.length; at += PROJECTS_AT_ONCE) {
    const query = { ids: ids.slice(at, at + PROJECTS_AT_ONCE) }
    for await (const { id, attributes } of client.list('listOrgProjects', { params: { org_id }, query, signal })) {
      names.set(id, attributes.name)
    }
  }
  return names
}

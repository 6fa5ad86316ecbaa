import { type Command, Option } from 'commander'
import type { Item } from '../../client/api/client.ts'
import { toCounts, toDay } from '../../client/resources/describe-project.ts'
import { parseId, parseIds } from './id-argument.ts'
import {
  collect,
  confirm,
  groupCommand,
  type ListOptions,
  runOnServer,
  type ServerOptions,
  serverCommand,
  withLimit,
} from './run-on-server.ts'

interface Filters extends ListOptions {
  readonly name?: string
  readonly file?: string
  readonly type?: string
  readonly origin?: string
  readonly status?: 'active' | 'inactive'
  readonly tag?: string
}

export function projectsCommand(): Command {
  return groupCommand('projects', listCommand(), [showCommand(), deleteCommand()])
}

function listCommand(): Command {
  const examples = [
    'gatehouse projects                          list the projects of the organization',
    'gatehouse projects --name shop --type npm   those whose name contains "shop"',
    'gatehouse projects --json | jq -r ".[].id"',
  ]
  return withLimit(serverCommand('list', examples))
    .description('List the projects of an organization')
    .option('--name <text>', 'projects whose name contains the text')
    .option('--file <path>', 'projects of this manifest')
    .option('--type <id>', 'projects of this package manager')
    .option('--origin <kind>', 'projects of this origin, such as github or archive')
    .option('--tag <key:value>', 'projects with this tag')
    .addOption(new Option('--status <status>', 'active or inactive projects').choices(['active', 'inactive']))
    .action(list)
}

type Project = Item<'listOrgProjects'>

async function list(options: Filters): Promise<void> {
  const { name, file, type, origin, status, tag } = options
  const isFiltered = [name, file, type, origin, status, tag].some((filter) => filter !== undefined)
  await runOnServer(options, async ({ client, orgId, output, signal }) => {
    const query = {
      ...(name !== undefined && { name }),
      ...(file !== undefined && { target_file: file }),
      ...(type !== undefined && { types: [type] }),
      ...(origin !== undefined && { origins: [origin] }),
      ...(status !== undefined && { status }),
      ...(tag !== undefined && { tags: [tag] }),
      'meta.latest_issue_counts': true,
    }
    const projects = await collect(
      client.list('listOrgProjects', { params: { org_id: await orgId() }, query, signal }),
      options,
    )
    output.table(
      projects,
      [
        { title: 'NAME', isFlexible: true },
        { title: 'C/H/M/L' },
        { title: 'ID', paint: output.palette.faint },
        { title: 'TYPE', isOptional: true },
        { title: 'TESTED', isOptional: true },
      ],
      projects.map(toRow),
      isFiltered
        ? 'No projects that match.'
        : 'No projects. Store some with "gatehouse monitor" or "gatehouse import".',
    )
  })
}

function toRow({ id, attributes, meta }: Project): string[] {
  const tested = 'last_tested_at' in attributes ? attributes.last_tested_at : null
  return [attributes.name, toCounts(meta?.latest_issue_counts), id, attributes.type, toDay(tested)]
}

function showCommand(): Command {
  return serverCommand('show', ['gatehouse projects show 6f1c2a34-…     show a project'])
    .argument('<id>', 'id of the project', parseId('project'))
    .description('Show a project')
    .action(show)
}

async function show(id: string, options: ServerOptions): Promise<void> {
  await runOnServer(options, async ({ client, orgId, output, signal }) => {
    const { data } = await client.call('getOrgProject', {
      params: { org_id: await orgId(), project_id: id },
      query: { expand: ['target'], 'meta.latest_issue_counts': true, 'meta.latest_dependency_total': true },
      signal,
    })
    const { attributes, meta, relationships } = data
    const counts = meta.latest_issue_counts
    output.record(data, {
      Name: attributes.name,
      Id: data.id,
      Target: relationships.target.data.attributes?.display_name,
      File: attributes.target_file,
      Type: attributes.type,
      Origin: attributes.origin,
      Status: attributes.status,
      Tested: attributes.last_tested_at ?? 'never',
      Dependencies: meta.latest_dependency_total && String(meta.latest_dependency_total.total),
      Issues: counts && `${counts.critical} critical, ${counts.high} high, ${counts.medium} medium, ${counts.low} low`,
      Ignored: counts && toCounts(counts.ignored),
      Coverage: attributes.is_complete ? 'complete' : 'incomplete: what was not tested may have issues',
      Failure: attributes.failure ?? undefined,
      Tags:
        attributes.tags.length === 0 ? undefined : attributes.tags.map((tag) => `${tag.key}:${tag.value}`).join(', '),
    })
  })
}

function deleteCommand(): Command {
  return serverCommand('delete', ['gatehouse projects delete 6f1c2a34-… --yes'])
    .argument('<id...>', 'ids of projects', parseIds('project'))
    .option('--yes', 'do not ask for confirmation')
    .description('Delete projects with their history and ignores')
    .action(remove)
}

async function remove(ids: readonly string[], options: ServerOptions & { yes?: true }): Promise<void> {
  await runOnServer(options, async ({ client, orgId, output, signal }) => {
    const org_id = await orgId()
    await confirm(`History and ignores of ${ids.join(', ')} are deleted. This cannot be undone.`, {
      ...options,
      signal,
    })
    for (const project_id of ids) await client.call('deleteOrgProject', { params: { org_id, project_id }, signal })
    output.sentence(
      ids.map((id) => ({ id, deleted: true })),
      `Deleted ${ids.join(', ')}.`,
    )
  })
}

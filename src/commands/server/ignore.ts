import { type Command, Option } from 'commander'
import { ApiError } from '../../client/api/client.ts'
import { ClientFailure } from '../../client/failure.ts'
import { printable } from '../../client/printable.ts'
import { parseExpiry } from '../../client/resources/parse-time.ts'
import { parseId } from './id-argument.ts'
import { runOnServer, type ServerOptions, type ServerSession, serverCommand } from './run-on-server.ts'

const types = { temporary: 'temporary-ignore', 'not-vulnerable': 'not-vulnerable', 'wont-fix': 'wont-fix' } as const

interface IgnoreOptions extends ServerOptions {
  readonly project?: string
  readonly reason: string
  readonly type: keyof typeof types
  readonly expires?: string
  readonly path?: string
  readonly unlessFixable?: true
  readonly local?: true
  readonly dir: string
}

const examples = [
  'gatehouse ignore GHSA-35jh-r3h4-6jhm --project 6f1c2a34-… --reason "templates come from our own code" --expires 30d',
  'gatehouse ignore GHSA-35jh-r3h4-6jhm --project 6f1c2a34-… --reason "not reachable" --type not-vulnerable',
  'gatehouse ignore GHSA-35jh-r3h4-6jhm --local --reason "fixed in May" --expires 2030-05-31   write .snyk',
]

export function ignoreCommand(): Command {
  return serverCommand('ignore', examples)
    .argument('<issue>', 'id of the issue, as results show it')
    .requiredOption('--reason <text>', 'why the issue is ignored')
    .option('--project <id>', 'project whose issue is ignored', parseId('project'))
    .addOption(new Option('--type <type>', 'kind of decision').choices(Object.keys(types)).default('temporary'))
    .option('--expires <time>', 'day, time or duration after which the issue is reported again')
    .option('--path <path>', 'only this dependency path, such as "express > qs" (default: all)')
    .option('--unless-fixable', 'report the issue as soon as an upgrade fixes it')
    .addOption(new Option('--local', 'write the ignore to the file .snyk instead of a server').conflicts(['project']))
    .option('--dir <folder>', 'folder of that file', '.')
    .action(ignore)
}

async function ignore(issueId: string, options: IgnoreOptions): Promise<void> {
  const { type, path, reason } = options
  if (type === 'temporary' && options.expires === undefined) {
    throw new ClientFailure(
      'A temporary ignore needs --expires, such as 30d. Pass --type not-vulnerable or wont-fix for a lasting one.',
    )
  }
  if (reason.trim() === '') throw new ClientFailure('--reason is empty. Say why the issue is ignored.')
  const now = Date.now()
  const expires = options.expires === undefined ? undefined : parseExpiry(options.expires, '--expires', now)
  if (options.local) {
    const { writeLocalIgnore } = await import('../../client/resources/local-ignores.ts')
    const rule = { reason, ...(expires && { expires }), created: new Date(now).toISOString() }
    const file = await writeLocalIgnore(options.dir, { issueId, path: path ?? '*', rule })
    const isText = !options.json
    console.log(isText ? `${issueId} is ignored in ${file}.` : JSON.stringify({ file, issueId, ...rule }, undefined, 2))
    return
  }
  await onServer(issueId, options, expires)
}

async function onServer(issueId: string, options: IgnoreOptions, expires: string | undefined): Promise<void> {
  const { project, reason, type, path, unlessFixable } = options
  if (project === undefined) throw new ClientFailure('Name the project with --project, or write .snyk with --local.')
  await runOnServer(options, async (session) => {
    const { client, orgId, output, signal } = session
    const entry = await client.call('addIgnoreV1', {
      params: { orgId: await orgId(), projectId: project, issueId },
      body: {
        reason,
        reasonType: types[type],
        disregardIfFixable: unlessFixable === true,
        ...(path !== undefined && { ignorePath: path }),
        ...(expires !== undefined && { expires }),
      },
      signal,
    })
    const end = expires === undefined ? '' : ` until ${expires}`
    output.sentence(entry, `${issueId} is ignored in project ${project}${end}.`)
    if (!(await mayHaveIssue(session, { project, issueId }))) {
      console.error(
        `The project has no issue ${printable(issueId)} now: the ignore applies once a test finds it. Check the id with "gatehouse issues --project ${project}".`,
      )
    }
  })
}

interface ProjectIssue {
  readonly project: string
  readonly issueId: string
}

/** Returns false if the project does not have the issue; true also if the key may not list issues. */
async function mayHaveIssue(session: ServerSession, { project, issueId }: ProjectIssue): Promise<boolean> {
  const { client, orgId, signal } = session
  const query = { key: issueId, 'scan_item.id': project, 'scan_item.type': 'project', limit: 10 } as const
  try {
    const { data } = await client.call('listOrgIssues', { params: { org_id: await orgId() }, query, signal })
    return data.length > 0
  } catch (error) {
    if (error instanceof ApiError) return true
    throw error
  }
}

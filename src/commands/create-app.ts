import { Ajv } from 'ajv'
import { Command, Option } from 'commander'
import { createApp } from '#features/apps/create-app.ts'
import { type AppInput, parseAttributes } from '#features/apps/parse-attributes.ts'
import { type App, contexts, NewAttributes, toResource } from '#features/apps/resource.ts'
import { findOrgCalled } from '#features/organizations/store.ts'
import { operator } from '#foundation/access/caller.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { isUuid } from '#foundation/http/access.ts'
import { validationProblem } from '#foundation/http/faults.ts'
import { Problem } from '#foundation/problem.ts'
import { append } from './repeatable.ts'
import { withServices } from './with-services.ts'

interface Options {
  readonly name: string
  readonly org?: string
  readonly scope?: readonly string[]
  readonly redirectUri?: readonly string[]
  readonly context?: string
  readonly accessTokenTtlSeconds?: string
  readonly unattended?: true
  readonly publicClient?: true
  readonly public?: true
  readonly clientId?: string
  readonly appId?: string
  readonly json?: true
}

/** Command-line options for attributes of requests. */
const spellings: Readonly<Record<string, { option: string; values?(options: Options): readonly string[] }>> = {
  name: { option: '--name' },
  scopes: { option: '--scope', values: ({ scope = [] }) => scope },
  redirect_uris: { option: '--redirect-uri', values: ({ redirectUri = [] }) => redirectUri },
  context: { option: '--context' },
  access_token_ttl_seconds: { option: '--access-token-ttl-seconds' },
}

export function createAppCommand(): Command {
  return new Command('create-app')
    .description('Register an app of an organization; its secret is printed once')
    .requiredOption('--name <name>', 'shown to users who authorize the app')
    .option('--org <id or slug>', 'organization that owns the app; optional while there is only one')
    .option('--scope <name>', 'permission that the app may request (repeatable); org.read is required', append)
    .option('--redirect-uri <uri>', 'address to which users return after authorizing the app (repeatable)', append)
    .addOption(
      new Option('--context <context>', 'tenant: the app acts as itself; user: it acts for the user').choices(contexts),
    )
    .option('--access-token-ttl-seconds <seconds>', 'lifetime of its access tokens, 3600 to 86400; default: 3600')
    .addOption(
      new Option('--unattended', 'the app runs without users (client credentials), where it is installed').conflicts([
        'publicClient',
        'clientId',
        'context',
      ]),
    )
    .option('--public-client', 'the app cannot keep a secret, for example on users’ machines, and uses PKCE')
    .option('--public', 'other groups may use the app too')
    .option('--client-id <uuid>', 'client id of the app, for programs with a fixed one')
    .option('--app-id <uuid>', 'id of the app, for programs with a fixed one')
    .option('--json', 'print the app as JSON')
    .action(run)
}

async function run(options: Options): Promise<void> {
  try {
    const input = parseOptions(options)
    const app = await register(options, input)
    console.log(options.json ? JSON.stringify(app, undefined, 2) : describe(app))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    for (const { detail } of error.faults) console.error(inOptions(options, detail))
    process.exitCode = 1
  }
}

/** Parses the options with the schema and the rules of a request. */
function parseOptions(options: Options): AppInput {
  for (const [option, id] of [
    ['--client-id', options.clientId],
    ['--app-id', options.appId],
  ]) {
    if (id !== undefined && !isUuid(id)) throw new Problem('invalid-request', `${option} must be a UUID`)
  }
  const { context, accessTokenTtlSeconds } = options
  const attributes: unknown = {
    name: options.name,
    scopes: options.scope ?? [],
    ...(options.redirectUri && { redirect_uris: options.redirectUri }),
    ...(context !== undefined && { context }),
    ...(accessTokenTtlSeconds !== undefined && { access_token_ttl_seconds: Number(accessTokenTtlSeconds) }),
    ...(options.unattended && { grant_type: 'client_credentials' }),
    ...(options.publicClient && { is_confidential: false }),
  }
  const validate = new Ajv({ allErrors: true, strict: false, validateFormats: false }).compile<NewAttributes>(
    NewAttributes,
  )
  if (!validate(attributes)) throw validationProblem(validate.errors ?? [], 'body')
  return parseAttributes(attributes, { at: '', now: Date.now() })
}

async function register(options: Options, input: AppInput): Promise<App> {
  return withServices((services) =>
    inTransaction(services.db, async (tx) => {
      const org = await findOrgCalled(tx, options.org)
      if (!org) throw noOrg(options.org)
      const { app, shown } = await createApp(
        services,
        { tx, actor: operator, at: services.now() },
        {
          owner: { id: org.id, groupId: org.group_id },
          input,
          chosen: {
            id: options.appId?.toLowerCase(),
            clientId: options.clientId?.toLowerCase(),
            isPublic: options.public === true,
          },
        },
      )
      return toResource(app, shown)
    }),
  )
}

function noOrg(called: string | undefined): Problem {
  return new Problem(
    'not-found',
    called === undefined
      ? 'Several organizations or none exist. Name one with --org.'
      : `No organization has the id or slug "${called}". Check --org.`,
  )
}

/** Replaces the attributes in a refusal by the options that they came from. */
function inOptions(options: Options, detail: string): string {
  return detail.replace(/^\/(\w+)(?:\/(\d+))?/, (pointer, member: string, index?: string) => {
    const spelling = spellings[member]
    const value = index === undefined ? undefined : spelling?.values?.(options)[Number(index)]
    return [spelling?.option ?? pointer, ...(value === undefined ? [] : [value])].join(' ')
  })
}

function describe({ id, attributes }: App): string {
  const { name, client_id, client_secret, grant_type } = attributes
  return [
    `App            ${id}  ${name}`,
    ...(client_id === undefined ? [] : [`Client id      ${client_id}`]),
    ...(client_secret === undefined ? [] : [`Client secret  ${client_secret}  (shown only now)`]),
    ...(grant_type === 'client_credentials'
      ? ['Install the app to get a client id and a secret: each install has its own.']
      : []),
  ].join('\n')
}

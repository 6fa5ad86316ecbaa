import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { parseDuration, parseExpiry } from '../../client/resources/parse-time.ts'
import type { Column } from '../../client/table.ts'
import { article, type Identified, parseId } from './id-argument.ts'
import {
  collect,
  confirm,
  type ListOptions,
  runOnServer,
  type ServerOptions,
  type ServerSession,
  serverCommand,
  withLimit,
} from './run-on-server.ts'

/** A column of a list, with its value for an item. */
export interface ItemColumn<T> extends Column {
  cell(item: T): string
}

interface Listing<T, O> {
  readonly summary: string
  readonly examples: readonly string[]
  readonly columns: readonly ItemColumn<T>[]
  /** Shown for an empty list: the command that creates the first item. */
  readonly empty: string
  items(session: ServerSession, options: O): Promise<AsyncIterable<T>>
}

export function listCommand<T, O extends ListOptions>({ summary, examples, columns, empty, items }: Listing<T, O>) {
  return withLimit(serverCommand('list', examples))
    .description(summary)
    .action((options: O) =>
      runOnServer(options, async (session) => {
        const all = await collect(await items(session, options), options)
        const rows = all.map((item) => columns.map(({ cell }) => cell(item)))
        session.output.table(all, columns, rows, empty)
      }),
    )
}

interface Deletion<O> {
  /** The group of the command, such as `apps`. */
  readonly of: string
  readonly noun: Identified
  readonly summary: string
  consequence(id: string): string
  remove(session: ServerSession, id: string, options: O): Promise<void>
}

/** Creates the command that deletes a resource after a confirmation. */
export function deleteCommand<O extends ServerOptions>({ of, noun, summary, consequence, remove }: Deletion<O>) {
  return serverCommand('delete', [`gatehouse ${of} delete 6f1c2a34-… --yes`])
    .argument('<id>', `id of the ${noun}`, parseId(noun))
    .option('--yes', 'do not ask for confirmation')
    .description(summary)
    .action((id: string, options: O & { yes?: true }) =>
      runOnServer(options, async (session) => {
        const { yes } = options
        await confirm(`${consequence(id)} This cannot be undone.`, { ...(yes && { yes }), signal: session.signal })
        await remove(session, id, options)
        session.output.sentence({ id, deleted: true }, `Deleted ${id}.`)
      }),
    )
}

interface ReplacementOptions extends ServerOptions {
  readonly overlap: string
  readonly expires?: string
}

/** Attributes of the operation that replaces a client secret. */
type Replacement = ReturnType<typeof toReplacement>

interface Rotation<T> {
  /** The full name of the command, such as `apps rotate-secret`. */
  readonly name: string
  readonly noun: Identified
  replace(session: ServerSession, id: string, attributes: Replacement): Promise<T>
  print(session: ServerSession, rotated: T): void
}

/** Creates the command that replaces a client secret, optionally with a time for which both secrets are valid. */
export function rotateCommand<T>({ name, noun, replace, print }: Rotation<T>): Command {
  const example = `gatehouse ${name} 6f1c2a34-… --overlap 24h     the old secret works for another day`
  return serverCommand(name.split(' ').at(-1)!, [example])
    .argument('<id>', `id of the ${noun}`, parseId(noun))
    .option('--overlap <duration>', 'time for which the old secret stays valid, at most 7d', '0s')
    .option('--expires <time>', 'day, time or duration after which the new secret expires')
    .description(`Replace the client secret of ${article(noun)} ${noun}; the new one is printed once`)
    .action(async (id: string, options: ReplacementOptions) => {
      const attributes = toReplacement(options)
      await runOnServer(options, async (session) => {
        print(session, await replace(session, id, attributes))
      })
    })
}

function toReplacement({ overlap, expires }: ReplacementOptions) {
  const grace_seconds = parseDuration(overlap, '--overlap')
  return { mode: 'replace', ...(grace_seconds > 0 && { grace_seconds }), ...toExpiry(expires) } as const
}

/** Returns the attribute of a credential's expiry; none without the option. */
export function toExpiry(expires: string | undefined): { readonly expires_at?: string } {
  return expires === undefined ? {} : { expires_at: parseExpiry(expires, '--expires', Date.now()) }
}

/** Options with which repeating a creation has no further effect. */
export function changeOptions({ signal }: ServerSession) {
  return { idempotencyKey: randomUUID(), signal }
}

interface Shown {
  readonly fields: Readonly<Record<string, string | undefined>>
  /** The secret among the fields, shown only once. */
  readonly secret: string | undefined
}

/** Prints a resource with its secret, and a note on standard error that it is shown only once. */
export function printWithSecret({ output }: ServerSession, resource: object, { fields, secret }: Shown): void {
  output.record(resource, fields)
  if (secret !== undefined && !output.isJson) console.error('The secret is shown only now. Store it.')
}

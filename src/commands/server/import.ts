import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import type { Item } from '../../client/api/client.ts'
import { ClientFailure, exitCodes } from '../../client/failure.ts'
import { printable } from '../../client/printable.ts'
import { followImport } from '../../client/resources/follow-import.ts'
import { findTarget, type ImportTarget } from '../../client/resources/import-target.ts'
import { plural } from '../../client/terminal-text.ts'
import { append } from '../repeatable.ts'
import { parseId } from './id-argument.ts'
import {
  IMPORT_EXIT_CODES,
  runOnServer,
  type ServerOptions,
  type ServerSession,
  serverCommand,
} from './run-on-server.ts'

interface ImportOptions extends ServerOptions {
  readonly branch?: string
  readonly integration?: string
  readonly file: readonly string[]
  readonly exclude?: string
  readonly wait: boolean
  readonly follow?: true
}

const examples = [
  'gatehouse import https://git.example/shop.git           import a repository and wait for its projects',
  'gatehouse import acme/shop --branch main                import through the GitHub integration',
  'gatehouse import /srv/git/shop --no-wait                import a folder on the server’s machine',
  'gatehouse import --follow 6f1c2a34-…                    wait for a running import',
]

export function importCommand(): Command {
  return serverCommand('import', examples, IMPORT_EXIT_CODES)
    .argument('<target>', 'URL, owner/name, or path on the server’s machine; with --follow the id of an import')
    .option('--branch <name>', 'branch to import (default: the default branch of the repository)')
    .option('--integration <id>', 'integration to use, by id or name (default: the one that fits the target)')
    .option('--file <path>', 'import only this manifest (repeatable)', append, [])
    .option('--exclude <names>', 'folders whose projects are not imported, comma-separated')
    .option('--no-wait', 'do not wait for the end of the import')
    .option('--follow', 'wait for the import with this id')
    .action(run)
}

async function run(target: string, options: ImportOptions): Promise<void> {
  await runOnServer(options, async (session) => {
    if (options.follow) return finish(session, parseId('import')(target))
    const { server, orgId, signal, progress } = session
    const { branch, integration } = options
    progress.show(`Looking for an integration for ${target}`)
    const resolved = await findTarget(server, { text: target, branch, integration }, { org_id: await orgId(), signal })
    return importTarget(session, resolved, options)
  })
}

export interface ImportChoice {
  readonly file: readonly string[]
  readonly exclude?: string
  readonly wait: boolean
}

/** Starts an import, waits until it is finished and prints the outcome of each manifest. Returns the exit code. */
export async function importTarget(
  session: ServerSession,
  { integrationId, target }: ImportTarget,
  { file, exclude, wait }: ImportChoice,
): Promise<number> {
  const { client, orgId, output, signal } = session
  const answer = await client.send('importTargetV1', {
    params: { orgId: await orgId(), integrationId },
    body: {
      target,
      ...(file.length > 0 && { files: file.map((path) => ({ path })) }),
      ...(exclude !== undefined && { exclusionGlobs: exclude }),
    },
    idempotencyKey: randomUUID(),
    signal,
  })
  const id = answer.headers.get('location')?.split('/').at(-1)
  if (id === undefined) throw new ClientFailure('The server named no import. Update the server.')
  if (wait) return finish(session, id)
  output.sentence({ id }, `Import ${id} has started. "gatehouse import --follow ${id}" waits for it.`)
  return exitCodes.clean
}

async function finish(session: ServerSession, import_id: string): Promise<number> {
  const { server, client, orgId, signal, progress, output } = session
  const params = { org_id: await orgId(), import_id }
  try {
    const ended = await followImport(server, params, { signal, onProgress: progress.show })
    progress.clear()
    const manifests = await Array.fromAsync(client.list('listImportManifests', { params, signal }))
    const { state, message, manifests: counts, left_out = [] } = ended.attributes
    output.table(
      { ...ended, manifests },
      [
        { title: 'MANIFEST', isFlexible: true },
        { title: 'STATE', paint: (text) => (text === 'failed' ? output.palette.high(text) : text) },
        { title: 'PROJECT' },
        { title: 'TYPE', isOptional: true },
      ],
      manifests.map(toRow),
      'No manifests were found.',
    )
    for (const { attributes } of manifests) {
      if (attributes.message !== null) console.error(`${printable(attributes.path)}: ${printable(attributes.message)}`)
    }
    for (const { path, reason } of left_out) console.error(`${printable(path)}: not imported (${reason})`)
    if (state === 'complete') {
      console.error(
        `Imported ${plural(counts.done, 'project')}${counts.failed > 0 ? `, ${counts.failed} failed` : ''}.`,
      )
    } else
      console.error(
        `The import ${state === 'failed' ? 'failed' : 'was canceled'}.${message ? ` ${printable(message)}` : ''}`,
      )
    if (state !== 'complete' || counts.failed > 0) return exitCodes.failure
    return counts.done === 0 ? exitCodes.nothingToTest : exitCodes.clean
  } catch (error) {
    if (signal.aborted) {
      progress.clear()
      console.error(`The import continues on the server. "gatehouse import --follow ${import_id}" waits for it.`)
    }
    throw error
  }
}

function toRow({ attributes: { path, state, project_id, package_manager } }: Item<'listImportManifests'>): string[] {
  return [path, state, project_id ?? '-', package_manager ?? '-']
}

import { randomUUID } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Command } from 'commander'
import { Problem } from '#foundation/problem.ts'
import { ClientFailure, exitCodes } from '../../client/failure.ts'
import { printable } from '../../client/printable.ts'
import { findArchiveIntegration } from '../../client/resources/import-target.ts'
import { collectFolder } from '../../client/run-test.ts'
import { readBillAt } from '../../client/work-tree.ts'
import { writeTar } from '../../client/write-tar.ts'
import { append } from '../repeatable.ts'
import { importTarget } from './import.ts'
import {
  IMPORT_EXIT_CODES,
  runOnServer,
  type ServerOptions,
  type ServerSession,
  serverCommand,
} from './run-on-server.ts'

interface MonitorOptions extends ServerOptions {
  readonly name?: string
  readonly file: readonly string[]
  readonly exclude?: string
  readonly wait: boolean
}

const examples = [
  'gatehouse monitor                            store a project for each manifest of the current folder',
  'gatehouse monitor services/shop --name shop  the same name updates the same projects',
  'gatehouse monitor bom.json                   store a bill of materials as a project',
]

export function monitorCommand(): Command {
  return serverCommand('monitor', examples, IMPORT_EXIT_CODES)
    .argument('[path]', 'folder whose projects are stored and retested from now on, or a bill of materials', '.')
    .option(
      '--name <name>',
      'name of the target; the same name updates the same projects (default: the name of the folder, or of the subject of the bill)',
    )
    .option('--file <path>', 'store only this manifest, relative to PATH (repeatable)', append, [])
    .option('--exclude <names>', 'folders whose projects are not stored, comma-separated (default: fixtures,tests,…)')
    .option('--no-wait', 'do not wait for the end of the first test')
    .action(monitor)
}

async function monitor(path: string, options: MonitorOptions): Promise<void> {
  await runOnServer(options, async (session) => {
    const folder = path === '' ? '.' : path
    const bill = await readBillAt(folder)
    if (bill !== undefined) {
      await monitorBill(bill, options, session)
      return exitCodes.clean
    }
    const { archive, files } = await pack(folder, options, session)
    const name = options.name ?? basename(resolve(folder))
    if (name === '') throw new ClientFailure('The folder has no name. Pass one with --name.')
    const { server, client, orgId, signal, progress } = session
    const org_id = await orgId()
    const integration_id = await findArchiveIntegration(server, { org_id, signal })
    progress.show(`Sending the files of ${name}`)
    const { data } = await client.call('sendArchive', {
      params: { org_id, integration_id },
      query: { name },
      file: { bytes: archive, type: 'application/gzip' },
      signal,
    })
    return importTarget(
      session,
      { integrationId: integration_id, target: { id: data.id, name } },
      { ...options, file: files },
    )
  })
}

async function monitorBill(bytes: Uint8Array, options: MonitorOptions, session: ServerSession): Promise<void> {
  const { name, file, exclude } = options
  if (file.length > 0 || exclude !== undefined) {
    throw new ClientFailure('A bill of materials is one project. Leave out --file and --exclude.')
  }
  const { client, orgId, signal, progress, output } = session
  const org = await orgId()
  progress.show('Testing the bill of materials')
  const stored = await client.call('monitorBill', {
    query: { org, ...(name !== undefined && { name }) },
    file: { bytes, type: 'application/octet-stream' },
    idempotencyKey: randomUUID(),
    signal,
  })
  output.sentence(stored, `Stored the project ${stored.id}: ${stored.uri}`)
}

interface Packed {
  readonly archive: Uint8Array
  /** The manifests to import; none for all. */
  readonly files: readonly string[]
}

/**
 * Writes an archive of the files that tests of the folder read, as `gatehouse test` sends them. If these include files
 * around the folder, only the folder's own manifests are imported.
 */
async function pack(folder: string, options: MonitorOptions, { signal, progress }: ServerSession): Promise<Packed> {
  const { file: files, exclude } = options
  const context = { environment: process.env, signal, onProgress: progress.show }
  const { entries, around, projects, leftOut, isEmpty } = await collectFolder(
    folder,
    { files, exclude },
    context,
  ).catch((error: unknown) => {
    throw error instanceof Problem ? new ClientFailure(error.message, { cause: error }) : error
  })
  progress.clear()
  for (const { path, reason } of leftOut) console.error(`${printable(path)}: not stored (${printable(reason)})`)
  if (isEmpty || entries.length === 0) {
    throw new ClientFailure(`No manifest of a supported package manager in ${folder}.`, {
      exitCode: exitCodes.nothingToTest,
    })
  }
  const tar = writeTar(entries.map((entry) => ({ ...entry, path: `files/${entry.path}` })))
  return { archive: gzipSync(tar), files: around.length === 0 ? files : projects.map(({ path }) => path) }
}

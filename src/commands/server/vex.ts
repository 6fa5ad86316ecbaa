import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { ClientFailure } from '../../client/failure.ts'
import { runOnServer, type ServerOptions, serverCommand } from './run-on-server.ts'

const examples = ['gatehouse vex lodash.openvex.json', 'gatehouse vex advisory.csaf.json --org payments']

export function vexCommand(): Command {
  return serverCommand('vex', examples)
    .argument('<file>', 'VEX document of OpenVEX, CycloneDX or CSAF, as JSON')
    .action(upload)
}

async function upload(file: string, options: ServerOptions): Promise<void> {
  const document = parse(file, await read(file))
  await runOnServer(options, async ({ client, orgId, output, signal }) => {
    const org_id = await orgId()
    const answer = await client.call('uploadOrgVex', { params: { org_id }, body: document, signal })
    const { policies, statements } = answer.meta
    const counts = Object.entries(policies).map(([state, count]) => `${count} ${state}`)
    const unmatched = statements.unmatched === 0 ? '' : ` ${statements.unmatched} statements name no package.`
    output.sentence(answer, `Policies of ${answer.meta.document.id}: ${counts.join(', ')}.${unmatched}`)
  })
}

async function read(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ClientFailure(`${file} cannot be read (${error.code}).`)
  })
}

function parse(file: string, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new ClientFailure(`${file} is not JSON. Convert XML documents first.`)
  }
}

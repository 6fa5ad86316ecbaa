import { type Command, Option } from 'commander'
import type { Operations } from '../../client/api/client.ts'
import { writeOutputFile } from '../../client/output/output-file.ts'
import { withoutCommandsInJson, withoutCommandsInXml } from '../../client/output/runner-commands.ts'
import { parseId } from './id-argument.ts'
import { runOnServer, type ServerOptions, serverCommand } from './run-on-server.ts'

type Format = NonNullable<Operations['getOrgProjectSbom']['query']['format']>

const formats: readonly Format[] = [
  'cyclonedx1.6+json',
  'cyclonedx1.6+xml',
  'cyclonedx1.5+json',
  'cyclonedx1.5+xml',
  'cyclonedx1.4+json',
  'cyclonedx1.4+xml',
  'spdx2.3+json',
  'openvex0.2.0+json',
  'sarif2.1.0+json',
]

const examples = [
  'gatehouse sbom 6f1c2a34-… > bill.json',
  'gatehouse sbom 6f1c2a34-… --format spdx2.3+json --output bill.spdx.json',
]

export function sbomCommand(): Command {
  return serverCommand('sbom', examples)
    .argument('<project>', 'id of the project', parseId('project'))
    .addOption(new Option('--format <format>', 'format of the document').choices(formats).default(formats[0]))
    .option('--exclude-licenses', 'omit licenses')
    .option('--output <file>', 'write to a file instead of standard output')
    .action(write)
}

interface SbomOptions extends ServerOptions {
  readonly format: Format
  readonly excludeLicenses?: true
  readonly output?: string
}

async function write(project_id: string, options: SbomOptions): Promise<void> {
  const { format, excludeLicenses, output: file } = options
  await runOnServer(options, async ({ client, orgId, signal }) => {
    const answer = await client.send('getOrgProjectSbom', {
      params: { org_id: await orgId(), project_id },
      query: { format, ...(excludeLicenses && { exclude: ['licenses'] }) },
      accept: '*/*',
      signal,
    })
    const text = (await answer.text()).replace(/\n?$/, '\n')
    if (file !== undefined) await writeOutputFile(file, text)
    else process.stdout.write(format.includes('xml') ? withoutCommandsInXml(text) : withoutCommandsInJson(text))
  })
}

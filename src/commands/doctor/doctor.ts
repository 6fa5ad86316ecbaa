import { Command } from 'commander'
import { type Config, ConfigFaults, readConfig } from '#foundation/config.ts'
import { findMissingPaths } from '../missing-paths.ts'
import { checkMachine } from './check-machine.ts'
import { checkStorage } from './check-storage.ts'
import { examine, type Finding } from './finding.ts'

const HELP = `
Reads the same environment as "gatehouse serve" and changes nothing, also beside a running server. Exits with 1 if a check found an error.
`

interface Options {
  readonly json?: boolean
  readonly offline?: boolean
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .option('--json', 'print the findings as JSON')
    .option('--offline', 'do not contact registries, the source of advisories and the object store')
    .addHelpText('after', HELP)
    .action(examineAll)
}

async function examineAll({ json = false, offline = false }: Options): Promise<void> {
  const read = readSettings()
  const [storage, machine] =
    read.config === undefined
      ? [[], []]
      : await Promise.all([storageOrFailure(read.config, offline), checkMachine(read.config, offline)])
  const findings = [...read.findings, ...storage, ...machine]
  const isHealthy = findings.every(({ status }) => status !== 'error')
  if (json) console.log(JSON.stringify({ ok: isHealthy, findings }, undefined, 2))
  else for (const finding of findings) console.log(toLine(finding))
  process.exitCode = isHealthy ? 0 : 1
}

function readSettings(): { config?: Config; findings: Finding[] } {
  try {
    const config = readConfig(process.env)
    const faults = findMissingPaths(config).map(toFault)
    const valid: Finding = { check: 'configuration', status: 'ok', text: 'All settings are valid.' }
    return { config, findings: faults.length > 0 ? faults : [valid] }
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error
    return { findings: error.faults.map(toFault) }
  }
}

function toFault(text: string): Finding {
  return { check: 'configuration', status: 'error', text }
}

/** Checks the storage; if it cannot be opened, returns that as the only finding. */
async function storageOrFailure(config: Config, isOffline: boolean): Promise<Finding[]> {
  let findings: Finding[] = []
  const opening = await examine('storage', async () => {
    findings = await checkStorage(config, isOffline)
    return { status: 'ok', text: '' }
  })
  return opening.status === 'error' ? [opening] : findings
}

function toLine({ check, status, text }: Finding): string {
  return `${status.toUpperCase().padEnd(7)}  ${check}: ${text}`
}

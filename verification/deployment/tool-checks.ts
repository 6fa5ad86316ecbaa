import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findProgram } from './measure.ts'
import type { Row } from './row.ts'

/** Exposure that `systemd-analyze security` may report for the unit, in tenths. */
const MAX_EXPOSURE = 20

const root = fileURLToPath(new URL('../..', import.meta.url))

function run(program: string, args: readonly string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', input: input ?? '' })
  return { isRight: status === 0, stdout, stderr }
}

export function checkUnit(): Row {
  const method = 'systemd'
  if (!findProgram('systemd-analyze')) return { method, outcome: 'not run', checked: '', notRun: 'needs systemd' }
  const verified = run('systemd-analyze', ['verify', 'deploy/gatehouse.service'])
  const security = ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, 'deploy/gatehouse.service']
  const { isRight, stdout } = run('systemd-analyze', security)
  const exposure = /Overall exposure.*: ([\d.]+ \w+)/.exec(stdout)?.[1]
  const isVerified = verified.isRight && verified.stderr === ''
  return {
    method,
    outcome: isRight && isVerified ? 'passed' : 'failed',
    checked: isVerified ? `verify; exposure ${exposure}` : verified.stderr.trim(),
    notRun: 'the unit itself: systemd is not running',
  }
}

interface ComposeProgram {
  readonly name: string
  readonly read: readonly string[]
  /** Arguments that print the version; version 1 knows older files only. */
  readonly version?: readonly string[]
}

const file = 'deploy/compose.yaml'
const composePrograms: readonly ComposeProgram[] = [
  { name: 'docker-compose', read: ['-f', file, 'config', '--quiet'], version: ['version', '--short'] },
  { name: 'docker', read: ['compose', '-f', file, 'config', '--quiet'], version: ['compose', 'version', '--short'] },
  // The command of compose-go, which does not read variables of the environment.
  { name: 'compose-spec', read: ['-no-interpolation', file] },
]

export function checkCompose(faults: readonly string[]): Row {
  const method = 'compose'
  const checked = faults.length === 0 ? 'settings exist; services are confined' : faults.join('; ')
  const outcome = faults.length === 0 ? 'passed' : 'failed'
  const notRun = 'containers and certificates: no daemon, no registry'
  const program = composePrograms.find(isUsable)
  if (program === undefined) return { method, outcome, checked, notRun: `${notRun}; no program reads compose files` }
  const { status, stderr } = spawnSync(findProgram(program.name)!, program.read, {
    cwd: root,
    env: { ...process.env, POSTGRES_PASSWORD: 'none', GATEHOUSE_DOMAIN: 'gatehouse.example' },
    encoding: 'utf8',
  })
  if (status !== 0) return { method, outcome: 'failed', checked: stderr.trim(), notRun }
  return { method, outcome, checked: `${checked}; read by ${program.name}`, notRun }
}

function isUsable({ name, version }: ComposeProgram): boolean {
  const path = findProgram(name)
  if (path === undefined || version === undefined) return path !== undefined
  const { isRight, stdout } = run(path, version)
  return isRight && !/^v?1\./.test(stdout)
}

export function checkAlerts(): Row {
  const method = 'alerts'
  const promtool = findProgram('promtool')
  if (promtool === undefined) return { method, outcome: 'not run', checked: '', notRun: 'needs promtool' }
  const { isRight, stdout, stderr } = run(promtool, ['check', 'rules', 'deploy/monitoring/alerts.yaml'])
  const count = /SUCCESS: (\d+ rules) found/.exec(stdout)?.[1]
  return {
    method,
    outcome: isRight && count !== undefined ? 'passed' : 'failed',
    checked: count === undefined ? stderr.trim() : `promtool check rules: ${count}`,
    notRun: 'Prometheus and Grafana themselves',
  }
}

const chart = 'deploy/helm/gatehouse'
const postgres = ['--set', 'replicas=3,database.existingSecret=db,secretKey.existingSecret=key,ingress.enabled=true']

/** A version that the chart supports: one of helm's own depends on how it was built. */
const KUBERNETES = ['--kube-version', '1.30.0']

/** Renders the chart for both engines, and what it must refuse. */
export function checkChart(): Row {
  const method = 'helm'
  if (!findProgram('helm')) return { method, outcome: 'not run', checked: '', notRun: 'needs helm' }
  const helm = findProgram('helm')!
  const linted = [[], postgres].map((values) => run(helm, ['lint', '--strict', chart, ...values]))
  const rendered = [[], postgres].map((values) => run(helm, ['template', 'test', chart, ...KUBERNETES, ...values]))
  const refused = ['replicas=2', 'database.existingSecret=db', 'replica=2'].map(
    (values) => !run(helm, ['template', 'test', chart, ...KUBERNETES, '--set', values]).isRight,
  )
  const conforms = rendered.map(({ stdout }) => conform(stdout))
  const faults = [...linted, ...rendered].map(({ isRight, stderr }) => (isRight ? '' : stderr.trim().split('\n')[0]!))
  const isRight = [
    ...faults.map((fault) => fault === ''),
    ...refused,
    ...conforms.filter((result) => result !== undefined),
  ].every(Boolean)
  return {
    method,
    outcome: isRight ? 'passed' : 'failed',
    checked: `${faults.join('') || 'lint, template for both engines, 3 wrong values refused'}${conforms[0] === undefined ? '' : ', kubeconform'}`,
    notRun: `a cluster${conforms[0] === undefined ? '; kubeconform is not installed' : ''}`,
  }
}

/** Returns undefined without kubeconform or the schemas that it needs. */
function conform(manifests: string): boolean | undefined {
  const program = findProgram('kubeconform')
  const schemas = process.env['KUBERNETES_SCHEMAS']
  if (program === undefined || schemas === undefined) return undefined
  return run(program, ['-strict', '-schema-location', schemas, '-'], manifests).isRight
}

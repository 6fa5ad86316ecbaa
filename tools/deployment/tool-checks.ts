import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findProgram } from './measure.ts'
import type { Row } from './row.ts'

/** Exposure that `systemd-analyze security` may report for the unit, in tenths. */
const MOST_EXPOSURE = 20

const root = fileURLToPath(new URL('../..', import.meta.url))

function run(program: string, args: readonly string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', input: input ?? '' })
  return { isRight: status === 0, stdout, stderr }
}

export function checkUnit(): Row {
  const method = 'systemd'
  if (!findProgram('systemd-analyze')) return { method, outcome: 'not run', checked: '', notRun: 'needs systemd' }
  const verified = run('systemd-analyze', ['verify', 'deploy/gatehouse.service'])
  const security = ['security', '--offline=true', `--threshold=${MOST_EXPOSURE}`, 'deploy/gatehouse.service']
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

export function checkCompose(faults: readonly string[]): Row {
  const checked = faults.length === 0 ? 'settings exist; services are confined' : faults.join('; ')
  const outcome = faults.length === 0 ? 'passed' : 'failed'
  const compose = findProgram('docker-compose') ?? findProgram('docker')
  if (compose === undefined || (compose.endsWith('docker') && !run(compose, ['compose', 'version']).isRight)) {
    return { method: 'compose', outcome, checked, notRun: 'containers and certificates: no daemon, no registry' }
  }
  const args = ['-f', 'deploy/compose.yaml', 'config', '--quiet']
  const env = { ...process.env, POSTGRES_PASSWORD: 'none', GATEHOUSE_DOMAIN: 'gatehouse.example' }
  const { status, stderr } = spawnSync(compose, compose.endsWith('docker') ? ['compose', ...args] : args, {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  return {
    method: 'compose',
    outcome: status === 0 ? outcome : 'failed',
    checked: status === 0 ? `${checked}; docker compose config` : stderr,
    notRun: 'containers and certificates: no daemon, no registry',
  }
}

const chart = 'deploy/helm/gatehouse'
const postgres = ['--set', 'replicas=3,database.existingSecret=db,secretKey.existingSecret=key,ingress.enabled=true']

/** Renders the chart for both engines, and what it must refuse. */
export function checkChart(): Row {
  const method = 'helm'
  if (!findProgram('helm')) return { method, outcome: 'not run', checked: '', notRun: 'needs helm' }
  const helm = findProgram('helm')!
  const linted = [[], postgres].map((values) => run(helm, ['lint', '--strict', chart, ...values]))
  const rendered = [[], postgres].map((values) => run(helm, ['template', 'test', chart, ...values]))
  const refused = ['replicas=2', 'database.existingSecret=db', 'replica=2'].map(
    (values) => !run(helm, ['template', 'test', chart, '--set', values]).isRight,
  )
  const conforms = rendered.map(({ stdout }) => conform(stdout))
  const results = [...linted, ...rendered].map(({ isRight }) => isRight)
  const isRight = [...results, ...refused, ...conforms.filter((result) => result !== undefined)].every(Boolean)
  return {
    method,
    outcome: isRight ? 'passed' : 'failed',
    checked: `lint, template for both engines, 3 wrong values refused${conforms[0] === undefined ? '' : ', kubeconform'}`,
    notRun: `a cluster${conforms[0] === undefined ? '; kubeconform is not installed' : ''}`,
  }
}

/** Undefined without kubeconform or the schemas that it asks for. */
function conform(manifests: string): boolean | undefined {
  const program = findProgram('kubeconform')
  const schemas = process.env['KUBERNETES_SCHEMAS']
  if (program === undefined || schemas === undefined) return undefined
  return run(program, ['-strict', '-schema-location', schemas, '-'], manifests).isRight
}

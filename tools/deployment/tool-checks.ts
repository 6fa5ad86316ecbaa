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

/** Programs that read a compose file, with their arguments before its name. The third is the command of compose-go. */
const composePrograms = {
  'docker-compose': ['-f'],
  docker: ['compose', '-f'],
  'compose-spec': [],
} satisfies Record<string, readonly string[]>

export function checkCompose(faults: readonly string[]): Row {
  const method = 'compose'
  const checked = faults.length === 0 ? 'settings exist; services are confined' : faults.join('; ')
  const outcome = faults.length === 0 ? 'passed' : 'failed'
  const notRun = 'containers and certificates: no daemon, no registry'
  const found = Object.entries(composePrograms).find(([name, args]) => findProgram(name) && readsCompose(name, args))
  if (found === undefined) return { method, outcome, checked, notRun: `${notRun}; no program reads compose files` }
  const [name, args] = found
  const variables = { POSTGRES_PASSWORD: 'none', GATEHOUSE_DOMAIN: 'gatehouse.example' }
  const valid = readCompose(name, args, variables)
  const isOpenRefused = Object.keys(variables).every(
    (key) => !readCompose(name, args, { ...variables, [key]: '' }).isRight,
  )
  if (!valid.isRight) return { method, outcome: 'failed', checked: valid.stderr.trim(), notRun }
  return {
    method,
    outcome: isOpenRefused ? outcome : 'failed',
    checked: `${checked}; read by ${name}; ${isOpenRefused ? 'missing variables refused' : 'a missing variable is not refused'}`,
    notRun,
  }
}

/** False for version 1, which knows older files only, and for docker without its plugin. */
function readsCompose(name: string, args: readonly string[]): boolean {
  if (name === 'compose-spec') return true
  const { isRight, stdout } = run(findProgram(name)!, [...args.filter((each) => each !== '-f'), 'version', '--short'])
  return isRight && !/^v?1\./.test(stdout)
}

function readCompose(name: string, args: readonly string[], variables: Readonly<Record<string, string>>) {
  const all = [...args, 'deploy/compose.yaml', ...(name === 'compose-spec' ? [] : ['config', '--quiet'])]
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables }
  const { status, stderr } = spawnSync(findProgram(name)!, all, { cwd: root, env, encoding: 'utf8' })
  return { isRight: status === 0, stderr }
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

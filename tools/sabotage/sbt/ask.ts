import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hidden, Spelling } from '../spelling.ts'

/** Prints what the product of every project is made of, and the jars on its class paths. */
const COMMAND = `commands += Command.command("askAll") { state =>
  val extracted = Project.extract(state)
  val product = Set("compile", "runtime", "provided", "optional")
  try {
    for (project <- extracted.structure.allProjectRefs) {
      val report = extracted.runTask(project / update, state)._2
      for (c <- report.configurations if product(c.configuration.name); m <- c.modules if !m.evicted)
        println("ASKED " + m.module.organization + ":" + m.module.name + ":" + m.module.revision)
      for (jar <- extracted.runTask(project / Compile / fullClasspath, state)._2 ++ extracted.runTask(project / Runtime / fullClasspathAsJars, state)._2)
        println("ASKED " + jar.data.getName)
    }
    println("ASKED END")
  } catch { case e: Throwable => println("ASKED FAILED " + e) }
  state
}
`
const MAX_SECONDS = 120

interface Session {
  readonly folder: string
  readonly process: ChildProcess
  output: string
}

let session: Session | undefined

/** One sbt answers for all spellings; GATEHOUSE_SBT_LAUNCHER is the jar that starts it. */
export async function askSbt(folder: string, { name, version }: Hidden): Promise<Spelling['tool']> {
  session ??= await start()
  const { folder: own, process } = session
  for (const path of globSync('*', { cwd: own })) if (path !== 'target') rmSync(join(own, path), { recursive: true })
  cpSync(folder, own, { recursive: true })
  mkdirSync(join(own, 'project'), { recursive: true })
  writeFileSync(join(own, 'project/build.properties'), 'sbt.version=1.9.9\n')
  session.output = ''
  process.stdin!.write('reload\n')
  if (!(await waitFor(session, /ASKED LOADED|\[error\]|loading failed/)) || !session.output.includes('ASKED LOADED')) {
    // sbt asks a terminal what to do about a build that fails; there is none.
    process.kill()
    session = undefined
    return 'refuses'
  }
  session.output = ''
  process.stdin!.write('askAll\n')
  const isAnswered = await waitFor(session, /ASKED END|ASKED FAILED|Not a valid command/)
  if (!isAnswered || !session.output.includes('ASKED END')) return 'refuses'
  const lines = session.output.split('\n').map((line) => line.replace(/^.*ASKED /, '').trim())
  const isHidden = lines.some((line) => line === `${name}:${version}` || line === 'hidden.jar')
  return isHidden ? 'installs' : 'ignores'
}

async function start(): Promise<Session> {
  const launcher = process.env['GATEHOUSE_SBT_LAUNCHER']
  if (launcher === undefined) throw new Error('Name the jar that starts sbt in GATEHOUSE_SBT_LAUNCHER.')
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-sabotage-sbt-'))
  const folder = join(home, 'project')
  mkdirSync(join(home, 'global'))
  mkdirSync(join(folder, 'project'), { recursive: true })
  writeFileSync(
    join(home, 'global/ask.sbt'),
    `${COMMAND}\nGlobal / onLoad ~= (_ andThen { s => println("ASKED LOADED"); s })\n`,
  )
  writeFileSync(join(folder, 'project/build.properties'), 'sbt.version=1.9.9\n')
  const settings = [
    `-Dsbt.global.base=${join(home, 'global')}`,
    '-Dsbt.server.autostart=false',
    '-Dsbt.supershell=false',
  ]
  const child = spawn('java', ['-Xmx1g', ...settings, '-Dsbt.log.noformat=true', '-jar', launcher, 'shell'], {
    cwd: folder,
  })
  const made: Session = { folder, process: child, output: '' }
  child.stdout.on('data', (data: Buffer) => {
    made.output += data.toString()
  })
  process.on('exit', () => child.kill())
  await waitFor(made, /ASKED LOADED/)
  return made
}

async function waitFor(asked: Session, expected: RegExp): Promise<boolean> {
  for (let waited = 0; waited < MAX_SECONDS * 10; waited++) {
    if (expected.test(asked.output)) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

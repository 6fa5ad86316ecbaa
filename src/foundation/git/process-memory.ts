import { readdir, readFile } from 'node:fs/promises'

/**
 * Returns the private memory in bytes of a process and its descendants (proc_pid_status(5), without mapped files);
 * undefined if the system does not report it.
 */
export async function memoryOfProcesses(pid: number): Promise<number | undefined> {
  const own = await memoryOf(pid)
  if (own === undefined) return undefined
  const children = await childrenOf(pid)
  const theirs = await Promise.all(children.map(memoryOfProcesses))
  return theirs.reduce<number>((sum, bytes) => sum + (bytes ?? 0), own)
}

async function memoryOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => '')),
  )
  return lists.flatMap((list) =>
    list
      .split(' ')
      .filter((id) => /^\d+$/.test(id))
      .map(Number),
  )
}

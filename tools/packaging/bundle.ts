import { rolldown } from 'rolldown'
import { bundleRequiredJson, keepLocations } from './keep-locations.ts'

/** Bundles the program, its threads and the client into a folder. Returns the paths of the modules in it. */
export async function bundle(root: string, folder: string): Promise<string[]> {
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    input: { main: 'src/main.ts', client: 'src/client/api/client.ts' },
    // An optional part of the PostgreSQL client that is not installed.
    external: ['pg-native'],
    plugins: [keepLocations(`${root}src/`), bundleRequiredJson()],
    onLog(level, { message }) {
      if (level === 'warn') throw new Error(message)
    },
  })
  const { output } = await build.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: false,
  })
  await build.close()
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

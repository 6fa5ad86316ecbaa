import { dirname, join, relative } from 'node:path'
import type { Plugin } from 'rolldown'

const places = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)|import\.meta\.resolve\((\w+)\)|import\.meta\.url/g

/**
 * Keeps `import.meta` true in a bundle whose chunks lie in one folder, which stands for `sources`: a module finds its
 * files where its own path says. The program of a thread becomes a chunk.
 */
export function keepLocations(sources: string): Plugin {
  return {
    name: 'keep-locations',
    transform(code, id) {
      if (!id.startsWith(sources) || !code.includes('import.meta.')) return null
      const module = `new URL('./${relative(sources, id)}', import.meta.url)`
      return code.replace(places, (_found, thread: string | undefined, location: string | undefined) => {
        if (location !== undefined) return `new URL(${location}, ${module}).href`
        if (thread === undefined) return `${module}.href`
        this.emitFile({ type: 'chunk', id: join(dirname(id), `${thread}.ts`), fileName: `${thread}.js` })
        return `new URL('./${thread}.js', import.meta.url)`
      })
    },
  }
}

/** Bundles JSON files that modules of packages require through `createRequire`, which a bundler does not follow. */
export function bundleRequiredJson(): Plugin {
  return {
    name: 'bundle-required-json',
    transform(code) {
      const [, name] = /\b(\w+) = createRequire\(import\.meta\.url\)/.exec(code) ?? []
      if (name === undefined) return null
      let imports = ''
      const text = code.replaceAll(new RegExp(`\\b${name}\\('(\\.[^']+\\.json)'\\)`, 'g'), (_call, path: string) => {
        const variable = `requiredJson${imports.length}`
        imports += `import ${variable} from '${path}'\n`
        return variable
      })
      return imports + text
    },
  }
}

import { isObject, type JsonObject, ownValue } from '#analysis/documents/json-document.ts'
import type { XmlElement } from '#analysis/documents/xml.ts'
import type { FileKind } from '../../../discovery/file-kinds/file-kind.ts'
import { jsonKind } from '../../../discovery/file-kinds/make-kinds.ts'
import type { EcosystemFiles } from '../../ecosystem-files.ts'
import { nugetLayout } from './layout.ts'
import { isProject } from './msbuild.ts'

const restore = { all: 'dotnet restore --force-evaluate' }

export const nugetFiles: EcosystemFiles = {
  ecosystem: 'nuget',
  kinds: [
    jsonKind({
      id: 'packages.lock.json',
      label: 'a packages.lock.json (NuGet)',
      names: /^packages(?:\..+)?\.lock\.json$/i,
      notation: 'json',
      is: (document) =>
        typeof ownValue(document, 'version') === 'number' && Object.keys(objectIn(document)).some(isFramework),
      isPlausible: (document) => ['version', 'dependencies'].every((key) => Object.hasOwn(document, key)),
    }),
    jsonKind({
      id: 'project.assets.json',
      label: 'a project.assets.json (NuGet)',
      names: /^project\.assets\.json$/i,
      notation: 'json',
      is: (document) => ['targets', 'libraries'].every((key) => isObject(ownValue(document, key))),
    }),
    xmlKind('packages.config', {
      label: 'a packages.config (NuGet)',
      names: /^packages(?:\..+)?\.config$/i,
      is: ({ name }) => name === 'packages',
    }),
    xmlKind('csproj', {
      label: 'a project file of .NET (.csproj, .fsproj, .vbproj)',
      names: /\.(?:cs|fs|vb)proj$/i,
      is: (root) => root.name === 'Project' && isProject(root),
    }),
    xmlKind('Directory.Packages.props', {
      label: 'a file that MSBuild imports (Directory.Packages.props)',
      names: /\.(?:props|targets)$/i,
      is: ({ name }) => name === 'Project',
    }),
  ],
  target: ['packages.lock.json', 'csproj', 'packages.config', 'project.assets.json'],
  additional: ['csproj', 'Directory.Packages.props', 'packages.lock.json', 'packages.config', 'project.assets.json'],
  renewal: { 'packages.lock.json': restore, 'project.assets.json': { all: 'dotnet restore' } },
  example: [
    '{"version":1,"dependencies":{"net8.0":{"Newtonsoft.Json":{"type":"Direct","requested":"[12.0.1, )","resolved":"12.0.1"}}}}',
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup><ItemGroup><PackageReference Include="Newtonsoft.Json" Version="12.0.1" /></ItemGroup></Project>',
  ],
  layout: nugetLayout,
}

type XmlKind = Pick<FileKind, 'label' | 'names'> & { is(root: XmlElement): boolean }

function xmlKind(id: string, { is, ...kind }: XmlKind): FileKind {
  return {
    id,
    ...kind,
    notation: 'xml',
    detect({ form, xml }) {
      const root = form === 'xml' ? xml() : undefined
      return root !== undefined && is(root)
    },
  }
}

function objectIn(document: JsonObject): JsonObject {
  const value = ownValue(document, 'dependencies')
  return isObject(value) ? value : {}
}

function isFramework(key: string): boolean {
  return /^(?:net\d|netstandard|netcoreapp|\.NET|uap|native|monoandroid|xamarin|tizen)/i.test(key)
}

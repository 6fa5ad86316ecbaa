import { textKind } from '#analysis/discovery/file-kinds/make-kinds.ts'
import { lockLayout, pathsOf } from '#analysis/discovery/projects-in-tree/lock-layout.ts'
import type { EcosystemFiles } from '../../ecosystem-files.ts'

const REBAR_LOCK = /^\s*(?:\{"1\.[\d.]+",\s*)?\[\s*(?:\{<<"|\]\s*(?:\}\s*)?\.)/
const REBAR_CONFIG = /^\s*\{\s*(?:deps|erl_opts|profiles|plugins|project_plugins|minimum_otp_vsn)\s*,/m

export const hexFiles: EcosystemFiles = {
  ecosystem: 'hex',
  kinds: [
    textKind({ id: 'mix.lock', label: 'a mix.lock (Mix)', names: /^mix\.lock$/, all: [/^\s*%\{/] }),
    textKind({
      id: 'mix.exs',
      label: 'a mix.exs (Mix)',
      names: /^mix\.exs$/,
      all: [/^[ \t]*use Mix\.Project|^[ \t]*defmodule [\w.]+ do/m],
    }),
    {
      id: 'rebar.lock',
      label: 'a rebar.lock (rebar3)',
      names: /^rebar\.lock$/,
      // A tuple looks like JSON.
      detect: ({ form, head }) => form !== 'xml' && REBAR_LOCK.test(head),
    },
    {
      id: 'rebar.config',
      label: 'a rebar.config (rebar3)',
      names: /^rebar\.config$/,
      detect: ({ form, head }) => form !== 'xml' && REBAR_CONFIG.test(head),
      isPlausible: ({ head }) => /^\s*[{%]/.test(head),
    },
  ],
  target: ['mix.lock', 'mix.exs', 'rebar.lock', 'rebar.config'],
  additional: ['mix.lock', 'mix.exs', 'rebar.lock', 'rebar.config'],
  renewal: {
    'mix.lock': { all: 'mix deps.get', only: (names) => `mix deps.update ${names.join(' ')}` },
    'rebar.lock': { all: 'rebar3 lock', only: (names) => `rebar3 upgrade ${names.join(',')}` },
  },
  example: [
    '%{\n  "plug": {:hex, :plug, "1.3.1", "00", [:mix], [], "hexpm", "11"},\n}\n',
    'defmodule Shop.MixProject do\n  use Mix.Project\n\n  def project do\n    [app: :shop, version: "1.0.0", deps: [{:plug, "~> 1.3"}]]\n  end\nend\n',
  ],
  layout: lockLayout({
    ecosystem: 'hex',
    lock: pathsOf('mix.lock', 'rebar.lock'),
    manifest: pathsOf('mix.exs', 'rebar.config'),
    covers: 'below',
    isMember: (text) => /\blockfile:\s*"(?:\.\.\/)+mix\.lock"/.test(text),
    isProject: (text) => /\bdeps\b/.test(text),
  }),
}

import { NativeSelect, Text } from '@mantine/core'
import { call } from '../../../api/client.ts'
import type { Progress } from '../../../api/imports.ts'
import type { ImportManifest, ManifestQuery } from '../../../api/resources.ts'
import { Listing } from '../../../components/listing.tsx'
import { useList } from '../../../hooks/list.ts'
import { useFilters } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { NameLink } from '../../../ui/links.tsx'
import { Section } from '../../../ui/section.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { countManifests, manifestStates } from './words.ts'

interface Props {
  readonly orgId: string
  readonly importId: string
  readonly progress: Progress
}

export function Manifests({ orgId, importId, progress }: Props) {
  const { filters, apply } = useFilters(['state'])
  const state = filters.state as ManifestQuery['state']
  const isPending = progress.state === 'pending'
  const list = useList(
    ['import', orgId, importId, 'manifests', state, progress.is_listed],
    (query) =>
      call('listImportManifests', { params: { org_id: orgId, import_id: importId }, query: { ...query, state } }),
    { refetchAfter: () => isPending && 1500 },
  )
  return (
    <Section title="Manifests">
      <NativeSelect
        label="Outcome"
        maw="12rem"
        value={state ?? ''}
        onChange={(event) => apply({ state: event.currentTarget.value })}
        data={[
          { value: '', label: 'Any' },
          ...Object.entries(manifestStates).map(([value, { word }]) => ({ value, label: word })),
        ]}
      />
      <Listing
        things="manifests"
        list={list}
        columns={[
          { name: 'File', width: '45%', cell: (manifest) => <File orgId={orgId} manifest={manifest} /> },
          { name: 'Type', width: '8rem', cell: ({ attributes }) => attributes.package_manager ?? '' },
          { name: 'Outcome', cell: (manifest) => <Outcome manifest={manifest} /> },
        ]}
        empty={<Text c="dimmed">{emptyWords(progress, state)}</Text>}
      />
    </Section>
  )
}

/** Describes an empty list. The progress is often newer than the list, which is read at intervals. */
function emptyWords(progress: Progress, filter: ManifestQuery['state']): string {
  if (filter !== undefined) return 'No manifest has this outcome.'
  if (countManifests(progress) > 0) return 'Loading the manifests…'
  if (progress.state === 'pending') return 'Reading the repository.'
  return 'No supported manifest found.'
}

function File({ orgId, manifest: { attributes } }: { orgId: string; manifest: ImportManifest }) {
  if (attributes.project_id === null) return attributes.path
  return <NameLink to={paths.project(orgId, attributes.project_id)} name={attributes.path} />
}

function Outcome({ manifest: { attributes } }: { manifest: ImportManifest }) {
  const { tone, word } = manifestStates[attributes.state]
  return (
    <>
      <StateBadge tone={tone}>{word}</StateBadge>
      {attributes.message !== null && (
        <Text size="sm" className="breakable" mt={4}>
          {attributes.message}
        </Text>
      )}
    </>
  )
}

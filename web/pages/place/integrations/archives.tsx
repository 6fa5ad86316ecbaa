import { Group, Text } from '@mantine/core'
import { call } from '../../../api/client.ts'
import type { Archive } from '../../../api/resources.ts'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { Listing } from '../../../components/listing.tsx'
import { useList } from '../../../hooks/list.ts'
import { paths } from '../../../navigation/paths.ts'
import { ButtonLink, NameLink } from '../../../ui/links.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { formatSize } from '../../../ui/size.ts'
import { ArchiveUpload } from './archive-upload.tsx'
import type { OfIntegration } from './of-integration.ts'

export function Archives({ orgId, integration }: OfIntegration) {
  const params = { org_id: orgId, integration_id: integration.id }
  const list = useList(['archives', orgId, integration.id], (query) => call('listArchives', { params, query }))
  const importing = ({ attributes }: Archive) =>
    `${paths.newImport(orgId)}?integration=${integration.id}&name=${encodeURIComponent(attributes.name)}`
  return (
    <Section title="Archives">
      <ArchiveUpload orgId={orgId} integrationId={integration.id} />
      <Listing
        things="archives"
        list={list}
        columns={[
          {
            name: 'Name',
            cell: (archive) => <NameLink to={importing(archive)} name={archive.attributes.name} />,
          },
          { name: 'Size', width: '7rem', cell: ({ attributes }) => formatSize(attributes.size_bytes) },
          { name: 'Sent', width: '10rem', cell: ({ attributes }) => <Age time={attributes.created_at} /> },
          {
            name: 'Action',
            width: '12rem',
            cell: (archive) => (
              <Group gap="xs">
                <ButtonLink size="compact-sm" variant="default" to={importing(archive)}>
                  Import
                </ButtonLink>
                <ConfirmButton
                  size="compact-sm"
                  action="Delete"
                  name={`Delete the archive ${archive.attributes.name}`}
                  title={`Delete ${archive.attributes.name}?`}
                  verb="Delete"
                  failure="Not deleted"
                  changes={[['archives', orgId, integration.id]]}
                  run={() => call('deleteArchive', { params: { ...params, archive_id: archive.id } })}
                >
                  Projects created from it are kept.
                </ConfirmButton>
              </Group>
            ),
          },
        ]}
        empty={<Text c="dimmed">No archives yet.</Text>}
      />
    </Section>
  )
}

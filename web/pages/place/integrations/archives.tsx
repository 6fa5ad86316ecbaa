import { Button, Group, Text } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import type { Archive } from '../../../api/resources.ts'
import { Listing } from '../../../components/listing.tsx'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { usePageOfList } from '../../../hooks/place.ts'
import { paths } from '../../../navigation/paths.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { ButtonLink, PageLink } from '../../../ui/links.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { formatSize } from '../../../ui/size.ts'
import { ArchiveUpload } from './archive-upload.tsx'
import type { OfIntegration } from './of-integration.ts'

/** Lists the uploaded archives of an integration, with a form for more. */
export function Archives({ orgId, integration }: OfIntegration) {
  const [leaving, setLeaving] = useState<Archive>()
  const { query, turns } = usePageOfList()
  const queries = useQueryClient()
  const reading = useQuery({
    queryKey: ['archives', orgId, integration.id, query],
    queryFn: () => call('listArchives', { params: { org_id: orgId, integration_id: integration.id }, query }),
    placeholderData: keepPreviousData,
  })
  const deleting = useMutation({
    mutationFn: (id: string) =>
      call('deleteArchive', { params: { org_id: orgId, integration_id: integration.id, archive_id: id } }),
    onSettled: () => {
      setLeaving(undefined)
      void queries.invalidateQueries({ queryKey: ['archives', orgId, integration.id] })
    },
  })
  const importing = ({ attributes }: Archive) =>
    `${paths.newImport(orgId)}?integration=${integration.id}&name=${encodeURIComponent(attributes.name)}`
  return (
    <Section title="Archives">
      <ArchiveUpload orgId={orgId} integrationId={integration.id} />
      {deleting.error && <RefusalAlert title="Not deleted" error={deleting.error} />}
      <Listing
        things="archives"
        label="Archives"
        reading={reading}
        turns={turns}
        columns={[
          {
            name: 'Name',
            cell: (archive) => (
              <PageLink to={importing(archive)} fw={600}>
                {archive.attributes.name}
              </PageLink>
            ),
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
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Delete the archive ${archive.attributes.name}`}
                  onClick={() => setLeaving(archive)}
                >
                  Delete
                </Button>
              </Group>
            ),
          },
        ]}
        empty={<Text c="dimmed">No archives yet.</Text>}
      />
      <ConfirmDialog
        title={`Delete ${leaving?.attributes.name}?`}
        verb="Delete"
        isOpen={leaving !== undefined}
        isBusy={deleting.isPending}
        onConfirm={() => leaving && deleting.mutate(leaving.id)}
        onClose={() => setLeaving(undefined)}
      >
        Projects created from it are kept.
      </ConfirmDialog>
    </Section>
  )
}

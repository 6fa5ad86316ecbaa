import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { sendArchive } from '../../../api/integrations.ts'
import type { Archive } from '../../../api/resources.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { DropArea } from '../../../ui/drop-area.tsx'
import { formatSize } from '../../../ui/size.ts'

interface Props {
  readonly orgId: string
  readonly integrationId: string
  readonly onSent?: (archive: Archive) => void
}

export function ArchiveUpload({ orgId, integrationId, onSent }: Props) {
  const [sentBytes, setSentBytes] = useState(0)
  const controller = useRef<AbortController>(undefined)
  const queries = useQueryClient()
  const sending = useMutation({
    mutationFn: (file: File) => {
      controller.current = new AbortController()
      setSentBytes(0)
      const { signal } = controller.current
      return sendArchive(orgId, integrationId, { name: toName(file.name), file, onProgress: setSentBytes, signal })
    },
    onSuccess: (archive) => {
      void queries.invalidateQueries({ queryKey: ['archives', orgId, integrationId] })
      onSent?.(archive)
    },
  })
  // Leaving the page cancels the upload.
  useEffect(() => () => controller.current?.abort(), [])
  const size = sending.variables?.size ?? 0
  const wasStopped = sending.error instanceof DOMException && sending.error.name === 'AbortError'
  return (
    <Stack gap="sm">
      <DropArea
        words="Drop a tar, tar.gz or zip archive here, or"
        action="Choose archive"
        label="Archive"
        accept=".tar,.gz,.tgz,.zip"
        isDisabled={sending.isPending}
        onFiles={([file]) => file && sending.mutate(file)}
      />
      {sending.isPending && (
        <Group gap="sm">
          <Progress
            value={size === 0 ? 100 : (sentBytes / size) * 100}
            color="pine.7"
            aria-label="Sent"
            flex="1 1 12rem"
            size="lg"
          />
          <Text size="sm">
            {formatSize(sentBytes)} of {formatSize(size)}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => controller.current?.abort()}>
            Stop
          </Button>
        </Group>
      )}
      {sending.isSuccess && (
        <Text role="status">
          {sending.data.attributes.name} was sent: {formatSize(sending.data.attributes.size_bytes)}.
        </Text>
      )}
      {wasStopped && <Text role="status">Upload canceled; nothing was stored.</Text>}
      {sending.error && !wasStopped && <RefusalAlert title="Archive rejected" error={sending.error} />}
    </Stack>
  )
}

/** Proposes the same name for the next version, which then updates the same projects. */
function toName(fileName: string): string {
  return fileName.replace(/\.(tar\.gz|tgz|tar|zip)$/i, '') || fileName
}

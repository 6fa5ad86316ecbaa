import { Button, Menu, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type Download, downloads, readDownload } from '../../../api/project-downloads.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { saveFile } from '../../../ui/files.ts'
import type { OfProject } from './of-project.ts'

/** Downloads documents about a project: bills of materials, VEX, SARIF and its issues as CSV. */
export function DownloadMenu({ orgId, project }: OfProject) {
  const download = useMutation({
    mutationFn: async (download: Download) => {
      saveFile(
        await readDownload(orgId, project.id, download),
        `${toFileName(project.attributes.name)}.${download.ending}`,
      )
    },
  })
  return (
    <Stack gap="xs">
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={download.isPending}>
            Download
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {downloads.map((choice) => (
            <Menu.Item key={choice.format} onClick={() => download.mutate(choice)}>
              {choice.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {download.isError && (
        <RefusalAlert
          title="Could not download the file"
          error={download.error}
          onRetry={() => download.mutate(download.variables)}
        />
      )}
    </Stack>
  )
}

function toFileName(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|-+$/g, '') || 'project'
}

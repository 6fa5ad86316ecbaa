import { NativeSelect, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { exports, readExport } from '../../../api/project-downloads.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { saveFile } from '../../../ui/files.ts'

interface Choice {
  readonly format: string
  readonly label: string
  readonly ending: string
}

interface Props<C extends Choice> {
  /** The name of the files, without their ending. */
  readonly name: string
  readonly choices: readonly C[]
  readonly read: (choice: C) => Promise<Blob>
}

/** Downloads documents about all projects of an organization, or of one of its repositories. */
export function ExportMenu({ orgId, targetId }: { readonly orgId: string; readonly targetId?: string | undefined }) {
  const name = targetId === undefined ? 'organization' : 'repository'
  return <DownloadMenu name={name} choices={exports} read={(choice) => readExport(orgId, targetId, choice)} />
}

/** Downloads documents: bills of materials, VEX, SARIF, issues as CSV, reports. */
export function DownloadMenu<C extends Choice>({ name, choices, read }: Props<C>) {
  const download = useMutation({
    mutationFn: async (choice: C) => saveFile(await read(choice), `${toFileName(name)}.${choice.ending}`),
  })
  return (
    <Stack gap="xs">
      <NativeSelect
        aria-label="Download"
        value=""
        disabled={download.isPending}
        onChange={({ currentTarget: { value } }) => download.mutate(choices.find(({ format }) => format === value)!)}
        data={[
          { value: '', label: download.isPending ? 'Downloading…' : 'Download', disabled: true },
          ...choices.map(({ format, label }) => ({ value: format, label })),
        ]}
      />
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

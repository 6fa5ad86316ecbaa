import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { callData } from '../../api/client.ts'
import type { Import } from '../../api/resources.ts'
import { ReadingAlert } from '../../components/refusal-alert.tsx'
import { paths } from '../../navigation/paths.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { ImportProgress } from '../place/imports/import-progress.tsx'
import { useProgress } from '../place/imports/use-progress.ts'

interface Props {
  readonly orgId: string
  readonly importId: string
  readonly onAgain: () => void
}

/** Follows an import that was started on this page. */
export function ImportState({ orgId, importId, onAgain }: Props) {
  const reading = useQuery({
    queryKey: ['import', orgId, importId],
    queryFn: () => callData('getImport', { params: { org_id: orgId, import_id: importId } }),
  })
  return (
    <Stack gap="sm">
      <ReadingAlert title="Could not load the import" reading={reading} />
      {reading.isPending && <Skeleton height={60} role="status" aria-label="Loading" />}
      {reading.data && <Live orgId={orgId} of={reading.data} />}
      <Group>
        <ButtonLink variant="default" to={paths.importRun(orgId, importId)}>
          Show manifests
        </ButtonLink>
        <Button variant="default" onClick={onAgain}>
          Import another
        </Button>
      </Group>
    </Stack>
  )
}

function Live({ orgId, of }: { orgId: string; of: Import }) {
  const progress = useProgress(orgId, of)
  const { name, message } = of.attributes
  return (
    <>
      <Text size="sm" className="breakable">
        {name}
        {message !== null && `: ${message}`}
      </Text>
      <ImportProgress progress={progress} />
    </>
  )
}

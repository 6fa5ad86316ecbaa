import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { usePlace } from '../../../hooks/place.ts'
import { Page } from '../../../ui/page.tsx'
import { FilesForm, type FilesInput } from './files-form.tsx'
import { FilesResult } from './files-result.tsx'

export function PackageTest() {
  const { id: org } = usePlace()
  const testing = useMutation({
    mutationFn: ({ files, includeDev, acceptPartial }: FilesInput) => {
      const form = new FormData()
      for (const { path, contents } of files) form.append(path, new Blob([contents]), path)
      const choices = { ...(includeDev && { includeDev }), ...(acceptPartial && { acceptPartial }) }
      // Chosen files are always tested, whatever the name of their folder.
      return call('testFiles', { query: { org, exclude: '', ...choices }, form })
    },
  })
  return (
    <Page title="Test a manifest" lead="Files are read by this server. Nothing is stored or executed.">
      <FilesForm isBusy={testing.isPending} onSubmit={(input) => testing.mutate(input)} />
      {testing.isError && <RefusalAlert title="Test failed" error={testing.error} />}
      {testing.isSuccess && <FilesResult key={testing.submittedAt} result={testing.data} />}
    </Page>
  )
}

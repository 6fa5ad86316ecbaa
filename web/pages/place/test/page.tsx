import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { usePlace } from '../../../place.ts'
import { RefusalAlert } from '../../../refusal-alert.tsx'
import { Page } from '../../../ui/page.tsx'
import { ManifestForm, type Wanted } from './manifest-form.tsx'
import { ResultView } from './result-view.tsx'

export function PackageTest() {
  const { id: org } = usePlace()
  const testing = useMutation({
    mutationFn: ({ manifest, lockfile, includeDev, acceptPartial }: Wanted) =>
      call('testNpm', {
        query: { org, ...(includeDev && { includeDev }), ...(acceptPartial && { acceptPartial }) },
        body: {
          files: {
            target: { contents: manifest },
            ...(lockfile.trim() !== '' && { additional: [{ contents: lockfile }] }),
          },
        },
      }),
  })
  return (
    <Page
      title="Test a manifest"
      lead="The files are read by this server and nothing is kept. No line of them is executed."
    >
      <ManifestForm isBusy={testing.isPending} onSubmit={(wanted) => testing.mutate(wanted)} />
      {testing.isError && <RefusalAlert title="The project was not tested" error={testing.error} />}
      {testing.isSuccess && <ResultView key={testing.submittedAt} result={testing.data} />}
    </Page>
  )
}

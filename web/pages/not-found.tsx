import { paths } from '../navigation/paths.ts'
import { Empty } from '../ui/empty.tsx'
import { PageLink } from '../ui/links.tsx'
import { Page } from '../ui/page.tsx'

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="No page exists at this address.">
        <PageLink to={paths.overview}>Go to overview</PageLink>
      </Empty>
    </Page>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Listed } from '../api/places.ts'
import { usePageOfList } from './place.ts'

type Page = ReturnType<typeof usePageOfList>

interface Options<Row> {
  /** Milliseconds until the list is read again; false for never. */
  readonly refetchAfter?: (rows: readonly Row[]) => number | false
}

/** Reads a list, page by page. The page is part of the address. */
export function useList<Row>(
  key: readonly unknown[],
  read: (query: Page['query']) => Promise<Listed<Row>>,
  { refetchAfter = () => false }: Options<Row> = {},
) {
  const { query, ...page } = usePageOfList()
  const reading = useQuery({
    queryKey: [...key, query],
    queryFn: () => read(query),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => refetchAfter(data?.data ?? []),
  })
  const rows = reading.data?.data
  return { ...page, reading, rows, isEmpty: rows?.length === 0 }
}

/** Grounds of badges, dark enough for white words: 4.5 to 1 at least, which the library's own green and orange miss. */
export const badgeGreen = '#237032'
export const badgeOrange = '#bf400d'

/** Of one file; the least that a provider of ours takes is the same. */
export const maxPictureBytes = 20_000_000;
export const maxPicturePixels = 50_000_000;
/** Of the shorter side: nothing can be seen on less. */
export const minPictureSide = 32;

/** The longer side of each derived picture, in pixels. None is made larger than its original. */
export const derivedSizes = { small: 96, thumbnail: 480, full: 1_600 } as const;
export type PictureSize = keyof typeof derivedSizes;
export const pictureSizes = Object.keys(derivedSizes) as PictureSize[];

import { router } from "../procedures.ts";
import { arrangePhotosProcedure } from "./arrange-photos.ts";
import { attachPhotosProcedure } from "./attach-photos.ts";
import { copyPhotoProcedure } from "./copy-photo.ts";
import { removePhotosProcedure } from "./remove-photos.ts";

export const photosRouter = router({
  attach: attachPhotosProcedure,
  arrange: arrangePhotosProcedure,
  copy: copyPhotoProcedure,
  remove: removePhotosProcedure,
});

/** An excerpt of a round, drawn with the table's own tiles. */
import { useId } from "preact/hooks";
import { Board, TileFace } from "../../board";
import { t } from "../../texts";
import { endsOf, type Scene } from "./steps";

const NO_TARGETS: never[] = [];

export function Picture({ scene, caption }: { scene: Scene; caption?: string }) {
  const { layout, hand, chosen, others } = scene;
  return (
    <figure class="guide-picture">
      {caption && <figcaption class="guide-picture__caption">{caption}</figcaption>}
      {layout && (
        <div class="guide-picture__felt">
          <Excerpt layout={layout} />
        </div>
      )}
      {hand && <Tiles label={t("guide.hand")} tiles={hand} {...(chosen === undefined ? {} : { chosen })} />}
      {others && <Tiles label={t("guide.others")} tiles={others} />}
    </figure>
  );
}

function Excerpt({ layout }: { layout: NonNullable<Scene["layout"]> }) {
  const last = layout.at(-1);
  return (
    <Board
      plays={layout}
      ends={endsOf(layout)}
      chosen={null}
      targets={NO_TARGETS}
      onTarget={() => undefined}
      spinner={layout.some(({ end }) => end === "up" || end === "down")}
      {...(last === undefined ? {} : { lastPlayed: last.tile })}
      label={t("guide.layout", { tiles: layout.map(({ tile }) => tile).join(", ") })}
    />
  );
}

function Tiles({ label, tiles, chosen }: { label: string; tiles: readonly string[]; chosen?: string }) {
  const id = useId();
  return (
    <div class="guide-tiles">
      <p class="guide-tiles__label" id={id}>
        {label}
      </p>
      <ul class="guide-tiles__row" aria-labelledby={id}>
        {tiles.map((tile) => (
          <li class={tile === chosen ? "guide-tiles__tile guide-tiles__tile--chosen" : "guide-tiles__tile"} key={tile}>
            <TileFace tile={tile} orientation="vertical" />
            <span class="visually-hidden">{tile === chosen ? t("guide.chosen", { tile }) : tile}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

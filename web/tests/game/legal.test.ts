import { describe, expect, it } from "vitest";
import { canDraw, canPass, legalPlays } from "../../src/game/legal";

describe("what the seat to move may do", () => {
  it("gathers the ends of each tile in the server's order", () => {
    const plays = legalPlays({ legal: ["6-3@left", "6-3@right", "2-2@up"] });
    expect([...plays]).toEqual([
      ["6-3", ["left", "right"]],
      ["2-2", ["up"]],
    ]);
  });

  it("passes over what it does not know", () => {
    expect(legalPlays({ legal: ["6-3@nowhere", "juggle"] }).size).toBe(0);
  });

  it("tells drawing and passing apart from plays", () => {
    expect(legalPlays({ legal: ["draw"] }).size).toBe(0);
    expect([canDraw({ legal: ["draw"] }), canPass({ legal: ["draw"] })]).toEqual([true, false]);
    expect([canDraw({ legal: ["pass"] }), canPass({ legal: ["pass"] })]).toEqual([false, true]);
  });
});

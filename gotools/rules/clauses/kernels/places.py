"""What stands around moves, as the window of a vocabulary has it: turned from bits of classes to bits of frames."""

from gotools.jit import kernel


@kernel
def frames_of_classes(seen, classes, given):
    """Fill given uint8[offsets * classes, n]: the frames in which a place is of a class, a bit each.

    seen -- int32[frames, offsets, n]: the classes of a place in a frame, a bit each
    """
    for k in range(seen.shape[1]):
        for c in range(classes):
            out = given[k * classes + c]
            out[:] = 0
            for frame in range(seen.shape[0]):
                here = seen[frame, k]
                for i in range(out.shape[0]):
                    out[i] |= (here[i] >> c & 1) << frame

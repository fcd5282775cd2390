# kiln in a container; the pictures go to the folder that is mounted as /work. (Written beside the packages; not built yet.)
#   docker build -t kiln .                                   for the CPU
#   docker build -t kiln-cuda --target cuda .                for NVIDIA GPUs, too; run it with --gpus all
#   docker run --rm -v "$PWD:/work" kiln render flames/conch.flam3 -o conch.png
FROM debian:12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends cmake ninja-build g++ libpng-dev zlib1g-dev libzstd-dev \
      libtinyxml2-dev libcli11-dev libfmt-dev libssl-dev nlohmann-json3-dev libopenexr-dev libboost-dev libturbojpeg0-dev && rm -rf /var/lib/apt/lists/*
COPY . /kiln
RUN cmake -G Ninja -S /kiln -B /build -DKILN_CUDA=OFF && cmake --build /build && cmake --install /build --prefix /installed

FROM nvidia/cuda:12.6.3-devel-ubuntu24.04 AS build-cuda
RUN apt-get update && apt-get install -y --no-install-recommends cmake ninja-build g++ libpng-dev zlib1g-dev libzstd-dev \
      libtinyxml2-dev libcli11-dev libfmt-dev libssl-dev nlohmann-json3-dev libopenexr-dev libboost-dev libturbojpeg0-dev && rm -rf /var/lib/apt/lists/*
COPY . /kiln
RUN cmake -G Ninja -S /kiln -B /build -DKILN_CUDA=ON && cmake --build /build && cmake --install /build --prefix /installed

# NVRTC, for kernels of a flame's own, is part of the runtime image.
FROM nvidia/cuda:12.6.3-runtime-ubuntu24.04 AS cuda
RUN apt-get update && apt-get install -y --no-install-recommends libpng16-16t64 zlib1g libzstd1 libtinyxml2-10 libfmt9 libssl3t64 libturbojpeg \
      libopenexr-3-1-30 ffmpeg && rm -rf /var/lib/apt/lists/*
COPY --from=build-cuda /installed /usr/local
WORKDIR /work
ENTRYPOINT ["kiln"]

FROM debian:12-slim AS cpu
RUN apt-get update && apt-get install -y --no-install-recommends libpng16-16 zlib1g libzstd1 libtinyxml2-9 libfmt9 libssl3 libturbojpeg0 \
      libopenexr-3-1-30 ffmpeg && rm -rf /var/lib/apt/lists/*
COPY --from=build /installed /usr/local
WORKDIR /work
ENTRYPOINT ["kiln"]

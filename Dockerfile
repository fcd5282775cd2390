# kiln in a container; pictures go to the folder that is mounted as /work.
#   docker build -t kiln .                                   for the CPU
#   docker build -t kiln-cuda --target cuda .                for NVIDIA GPUs, too; run it with --gpus all
#   docker run --rm -u "$(id -u):$(id -g)" -v "$PWD:/work" kiln render flames/conch.flam3 -o conch.png
# Each builds the Debian package and installs it where no compiler is; it names the libraries that it needs, and the packages to
# build with are those of scripts/common.sh. Needs BuildKit (Docker 23 or later) or buildah. What was tried: docs/measurements/building.md.
ARG DEBIAN=debian:12-slim
ARG CUDA_BUILD=nvidia/cuda:12.6.3-devel-ubuntu24.04
ARG CUDA_RUN=nvidia/cuda:12.6.3-runtime-ubuntu24.04

FROM ${DEBIAN} AS build
COPY scripts/common.sh /kiln/scripts/
RUN bash -euc '. /kiln/scripts/common.sh; need_packages "${build_packages[@]}" dpkg-dev debhelper'
COPY . /kiln
RUN cmake -G Ninja -S /kiln -B /build -DKILN_CUDA=OFF -DCMAKE_INSTALL_PREFIX=/usr && cmake --build /build && /kiln/packaging/deb /build /packages

FROM ${CUDA_BUILD} AS build-cuda
ARG CUDA_ARCHS="75;80;86;89;90"
COPY scripts/common.sh /kiln/scripts/
RUN bash -euc '. /kiln/scripts/common.sh; need_packages "${build_packages[@]}" dpkg-dev debhelper'
COPY . /kiln
RUN cmake -G Ninja -S /kiln -B /build -DKILN_CUDA=ON "-DKILN_CUDA_ARCHS=${CUDA_ARCHS}" -DCMAKE_INSTALL_PREFIX=/usr && cmake --build /build && /kiln/packaging/deb /build /packages

# NVRTC, for kernels of a flame's own, is part of the runtime image.
FROM ${CUDA_RUN} AS cuda
RUN --mount=type=bind,from=build-cuda,source=/packages,target=/packages \
    apt-get update && apt-get install -y --no-install-recommends /packages/kiln_*.deb ffmpeg && rm -rf /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["kiln"]

FROM ${DEBIAN} AS cpu
RUN --mount=type=bind,from=build,source=/packages,target=/packages \
    apt-get update && apt-get install -y --no-install-recommends /packages/kiln_*.deb ffmpeg && rm -rf /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["kiln"]
